// A store with reducers, immutable states and subscribers.
//> POST /dispatch {"type":"{add|add|remove|toggle}","text":"{milk|eggs|tea}"}
//> POST /dispatch {"type":"{add|add|remove|toggle}","text":"{milk|eggs|tea}"}
//> GET /
//> GET /history
const express = require('express');

function createStore(reducer, state = reducer(undefined, { type: '@@init' })) {
  const subscribers = new Set();
  return {
    getState: () => state,
    subscribe(f) {
      subscribers.add(f);
      return () => subscribers.delete(f);
    },
    dispatch(action) {
      const before = state;
      state = reducer(state, action);
      if (state !== before) for (const f of subscribers) f(state, before);
      return action;
    },
  };
}

const todos = (s = [], { type, text }) => {
  switch (type) {
    case 'add':
      return s.some((t) => t.text === text) ? s : [...s, { text, done: false }];
    case 'remove':
      return s.filter((t) => t.text !== text);
    case 'toggle':
      return s.map((t) => (t.text === text ? { ...t, done: !t.done } : t));
    default:
      return s;
  }
};
const counts = (s = Object.freeze({}), { type }) => Object.freeze({ ...s, [type]: (s[type] ?? 0) + 1 });
const store = createStore((s = {}, a) => ({ todos: todos(s.todos, a), counts: counts(s.counts, a) }));

const history = [];
store.subscribe((now, before) => {
  if (now.todos !== before.todos) history.push(now.todos.length);
});

const app = express();
app.use(express.json());
app.post('/dispatch', (req, res) => {
  store.dispatch(req.body);
  res.json(store.getState());
});
app.get('/', (req, res) => res.json(store.getState()));
app.get('/history', (req, res) => res.json(history));
app.listen(process.env.PORT || 3000);
