// Message of the day in TypeScript: the same routes as the JavaScript app.

import express, { type Request, type Response } from 'express';
import { Board } from './board.js';

interface Post {
  date?: unknown;
  message?: unknown;
  readable?: unknown;
}

const board = new Board();
const app = express();
app.use(express.json());

app.post('/post', async (req: Request<object, string, Post | undefined>, res: Response<string>) => {
  const { date, message, readable = false } = req.body ?? {};
  if (typeof date !== 'string' || typeof message !== 'string') {
    res.status(400).type('text').send('date and message are needed');
    return;
  }
  await board.set(date, { message, readable: readable === true });
  res.type('text').send(`Message set for ${date}`);
});

app.post('/getdate', async (req: Request<object, string, Post | undefined>, res: Response<string>) => {
  const date = String(req.body?.date);
  const message = await board.get(date);
  res.type('text').send(message === undefined ? `No message for ${date}` : `${date}: ${message}`);
});

const port = process.env.PORT ?? '3000';
app.listen(Number(port), (error?: Error) => {
  if (error) throw error;
  console.log(`motd-ts listening on port ${port}`);
});
