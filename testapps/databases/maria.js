'use strict';

// Accounts in MariaDB or MySQL, by a pool of connections that all requests share.
const express = require('express');
const mysql = require('mysql2');

const table = process.env.TABLE || 'accounts';
const pool = mysql.createPool({ host: process.env.MYSQL_HOST || '127.0.0.1', port: Number(process.env.MYSQL_PORT || 3306), user: process.env.MYSQL_USER || 'root', database: process.env.MYSQL_DATABASE || 'test', connectionLimit: 4 });
const promised = pool.promise();

const app = express();
app.use(express.json());

app.get('/accounts', (req, res, next) => {
  pool.query(`SELECT id, owner, balance FROM ${table} ORDER BY id`, (err, rows) => {
    if (err) return next(err);
    res.json(rows);
  });
});

app.post('/accounts', async (req, res) => {
  try {
    const [result] = await promised.execute(`INSERT INTO ${table} (owner, balance) VALUES (?, ?)`, [req.body.owner, req.body.balance ?? 0]);
    res.status(201).json({ id: result.insertId });
  } catch (e) {
    res.status(400).json({ code: e.code, message: e.message });
  }
});

app.post('/transfers', async (req, res) => {
  const { from, to, amount } = req.body;
  const connection = await promised.getConnection();
  try {
    await connection.beginTransaction();
    const [taken] = await connection.execute(`UPDATE ${table} SET balance = balance - ? WHERE id = ? AND balance >= ?`, [amount, from, amount]);
    const [given] = await connection.execute(`UPDATE ${table} SET balance = balance + ? WHERE id = ?`, [amount, to]);
    if (taken.affectedRows !== 1 || given.affectedRows !== 1) throw new Error('not possible');
    await connection.commit();
    const [rows] = await connection.query(`SELECT balance FROM ${table} WHERE id IN (?, ?) ORDER BY id`, [from, to]);
    res.json(rows.map((r) => r.balance));
  } catch (e) {
    await connection.rollback();
    res.status(409).json({ error: e.message });
  } finally {
    connection.release();
  }
});

(async () => {
  await promised.query(`DROP TABLE IF EXISTS ${table}`);
  await promised.query(`CREATE TABLE ${table} (id INT AUTO_INCREMENT PRIMARY KEY, owner VARCHAR(50) NOT NULL, balance INT)`);
  app.listen(process.env.PORT || 3000);
})();
