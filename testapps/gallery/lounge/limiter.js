'use strict';

// A token bucket for each client, refilled by use.
module.exports = ({ burst, per }) => {
  const buckets = new Map();
  let blocked = 0;

  function spend(map, key, cost) {
    const left = (map.has(key) ? map.get(key) : burst) - cost;
    map.set(key, left < 0 ? burst : left);
    return left >= 0;
  }

  const middleware = (req, res, next) => {
    if (spend(buckets, per(req), 1)) return next();
    blocked++;
    res.status(429).json({ blocked, clients: buckets.size });
  };
  middleware.blocked = () => blocked;
  return middleware;
};
