const { Router } = require('express');
module.exports = (deps) => {
  const router = Router();
  const cache = new Map(); // want "cache changed"
  const known = new Map([['a', 1]]);
  router.get('/:id', (req, res) => {
    let hit = cache.get(req.params.id);
    if (hit === undefined) {
      hit = { n: 0 };
      cache.set(req.params.id, hit);
    }
    hit.n++;
    deps.users.push(req.params.id);
    deps.log(known.get('a'), deps.config.title);
    res.json(hit);
  });
  return router;
};
