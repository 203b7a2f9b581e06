// Services that a container makes and joins.
//> POST /todo {"text":"{wash|cook|read}"}
//> POST /todo {"text":"{wash|cook|read}"}
//> POST /done/{1-9}
//> GET /todo
//> GET /health
import { createServer, type IncomingMessage } from 'node:http';
import { Container } from './di';

interface Todo {
  readonly id: number;
  text: string;
  done?: boolean;
}

class Clock {
  private ticks = 0;
  public tick(): number {
    return ++this.ticks;
  }
}

class TodoStore {
  private readonly items: Record<number, Todo> = {};
  constructor(private readonly clock: Clock) {}
  add(text: string): Todo {
    const todo: Todo = { id: this.clock.tick(), text };
    return (this.items[todo.id] = todo);
  }
  finish(id: number): Todo | undefined {
    const t = this.items[id];
    if (t) t.done = true;
    return t;
  }
  get open(): Todo[] {
    return Object.values(this.items).filter((t) => !t.done);
  }
}

enum Health {
  Good = 'good',
  Busy = 'busy',
}

class TodoController {
  private health: Health = Health.Good;
  constructor(
    private store: TodoStore,
    private clock: Clock,
  ) {}
  async handle(req: IncomingMessage): Promise<unknown> {
    const [, verb, id] = req.url!.split('/');
    if (verb === 'done') return this.store.finish(Number(id)) ?? null;
    if (verb === 'health') return this.health;
    if (req.method === 'GET') return this.store.open;
    let text = '';
    for await (const c of req) text += c;
    const made = this.store.add((JSON.parse(text) as Todo).text);
    this.health = this.store.open.length > 5 ? Health.Busy : Health.Good;
    return made;
  }
}

const c = new Container();
c.single('clock', () => new Clock());
c.single('store', () => new TodoStore(c.get('clock')));
c.single('todos', () => new TodoController(c.get('store'), c.get('clock')));

createServer(async (req, res) => {
  const answer = await c.get<TodoController>('todos').handle(req);
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify(answer));
}).listen(process.env.PORT || 3000);
