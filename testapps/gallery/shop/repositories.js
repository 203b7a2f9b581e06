'use strict';

class Repository {
  #rows = new Map();
  writes = 0;

  constructor(rows) {
    for (const row of rows) this.#rows.set(row.id, row);
  }

  get(id) {
    return this.#rows.get(id);
  }

  all() {
    return [...this.#rows.values()];
  }

  save(row) {
    this.writes++;
    this.#rows.set(row.id, row);
    return row;
  }
}

class ProductRepository extends Repository {
  static lookups = 0;

  get(id) {
    ProductRepository.lookups++;
    return super.get(id);
  }
}

module.exports = { Repository, ProductRepository };
