'use strict';

// A guest book in PostgreSQL, by way of a pool of connections that all requests share.
const express = require('express');
const { Pool, Client } = require('pg');

const table = process.env.TABLE || 'guests';
const settings = { host: process.env.PGHOST || '127.0.0.1', port: Number(process.env.PGPORT || 5432), user: process.env.PGUSER || 'postgres', database: process.env.PGDATABASE || 'postgres' };
const pool = new Pool({ ...settings, max: 4 });

const app = express();
app.use(express.json());

app.get('/guests', async (req, res) => {
  const { rows, rowCount } = await pool.query(`SELECT id, name, visits FROM ${table} ORDER BY id`);
  res.json({ rows, rowCount });
});

app.get('/guests/:id', async (req, res, next) => {
  try {
    const { rows } = await pool.query(`SELECT * FROM ${table} WHERE id = $1`, [req.params.id]);
    if (rows.length === 0) return res.status(404).json({ error: 'no such guest' });
    res.json(rows[0]);
  } catch (e) {
    next(e);
  }
});

app.post('/guests', (req, res) => {
  pool.query(`INSERT INTO ${table} (name, at) VALUES ($1, $2) RETURNING id, at`, [req.body.name, new Date(0)], (err, result) => {
    if (err) return res.status(400).json({ code: err.code, message: err.message });
    res.status(201).json(result.rows[0]);
  });
});

// Several statements that succeed or fail together.
app.post('/visits', async (req, res) => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const out = [];
    for (const id of req.body.ids) {
      const { rows } = await client.query({ name: 'visit', text: `UPDATE ${table} SET visits = visits + 1 WHERE id = $1 RETURNING visits`, values: [id] });
      if (rows.length === 0) throw new Error('no guest ' + id);
      out.push(rows[0].visits);
    }
    await client.query('COMMIT');
    res.json(out);
  } catch (e) {
    await client.query('ROLLBACK');
    res.status(409).json({ error: e.message });
  } finally {
    client.release();
  }
});

// A connection of the request's own.
app.get('/alone', async (req, res) => {
  const client = new Client(settings);
  await client.connect();
  const { rows, fields } = await client.query('SELECT $1::int + 1 AS n, now() - now() AS nothing, ARRAY[1, 2] AS list, $2::jsonb AS j', [req.query.n, { a: [1, 'ü'] }]);
  await client.end();
  res.json([rows, fields.map((f) => f.name)]);
});

app.get('/large', async (req, res) => {
  const { rows } = await pool.query("SELECT i, repeat('row ', 50) AS text FROM generate_series(1, 2000) AS i");
  res.json([rows.length, rows[1999]]);
});

app.get('/fails', async (req, res) => {
  try {
    await pool.query('SELECT nonsense FROM nowhere');
  } catch (e) {
    res.json([e.code, e.message, e.severity, e.position]);
  }
});

app.get('/refused', async (req, res) => {
  const client = new Client({ ...settings, port: 1 });
  client.on('error', () => {});
  const e = await client.connect().catch((e) => e);
  res.json([e.code, e.message]);
});

pool
  .query(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (id serial PRIMARY KEY, name text NOT NULL, visits int DEFAULT 0, at timestamptz)`)
  .then(() => app.listen(process.env.PORT || 3000));
