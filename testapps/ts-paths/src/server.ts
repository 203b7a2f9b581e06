import express, { type Request, type Response } from 'express';
import { Level, Task } from '@models/task';
import { logged, twice } from '@lib';

//karousos:loggable
const tasks: Map<string, { title: string; level: Level; done: boolean }> = new Map();

class Board {
  private served = 0;
  static readonly max = 100;

  @logged
  add(id: string, title: unknown, level: keyof typeof Level): Task {
    if (tasks.size >= Board.max) throw new Error('full');
    const task = new Task(String(title), Level[level] ?? Level.Low);
    tasks.set(id, { ...task });
    return task;
  }

  list(): string[] {
    return [...tasks].map(([id, t]) => `${id}: ${t.title} (${Level[t.level]})${t.done ? ' done' : ''}`);
  }
}

const board = new Board();
const app = express();
app.use(express.json());

app.put('/tasks/:id', (req: Request, res: Response) => {
  const task = board.add(req.params.id as string, req.body?.title, req.body?.level);
  res.json({ shout: task.shout(), twice: twice(task.level) });
});
app.post('/tasks/:id/done', (req, res) => {
  const task = tasks.get(req.params.id);
  if (!task) return void res.status(404).end();
  task.done = true;
  res.json(task satisfies object);
});
app.get('/tasks', (_req, res) => void res.json(board.list()));
app.get('/calls', (_req, res) => void res.json({ decorated: typeof board.add, name: board.add.name }));

app.listen(Number(process.env.PORT ?? 3000));
