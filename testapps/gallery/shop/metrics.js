'use strict';

class Metrics {
  constructor() {
    this.byMethod = Object.create(null);
    this.total = 0;
  }

  hit(method) {
    this.total++;
    this.byMethod[method] = (this.byMethod[method] || 0) + 1;
  }

  report() {
    return { total: this.total, ...this.byMethod };
  }
}

module.exports = new Metrics();
