// Tickets of a help desk: TypeScript with parameter properties, enums, generics and
// namespaces, whose state nobody annotates.
import express, { type Request, type Response } from 'express';
import { TicketStore, State } from './tickets';
import * as stats from './stats';

const app = express();
app.use(express.json());

const store = new TicketStore(2);

app.post('/tickets', (req: Request, res: Response) => {
  const ticket = store.open(String(req.body.title));
  stats.count('opened');
  res.status(201).json(ticket);
});

app.post('/tickets/:id/close', async (req: Request, res: Response) => {
  const ticket = store.get(Number(req.params.id));
  if (!ticket || ticket.state === State.Closed) {
    stats.count('refused');
    return void res.status(409).json({ refused: stats.of('refused') });
  }
  await new Promise<void>((resolve) => setImmediate(resolve));
  ticket.state = State.Closed;
  ticket.history.push(stats.count('closed'));
  res.json(ticket);
});

app.get('/tickets', (_req: Request, res: Response) => void res.json({ open: store.titles(), cached: store.recent.has(1), last: stats.last }));

app.listen(process.env.PORT || 3000, () => console.log('the desk is open'));
