'use strict';
// Uploads, validation and tokens.
const express = require('express');
const jwt = require('jsonwebtoken');
const multer = require('multer');
const { body, matchedData, param, query, validationResult } = require('express-validator');
const { v4, v5, validate } = require('uuid');
const { z } = require('zod');

const app = express();
const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 4000, files: 2 } });
const secret = 'a secret of some length, for HS256';

//karousos:loggable
const orders = new Map();

app.use(express.json());

const Order = z.object({
  item: z.string().min(2).max(20),
  count: z.number().int().positive().default(1),
  tags: z.array(z.string()).optional(),
  to: z.union([z.string().email(), z.object({ street: z.string(), zip: z.string().regex(/^\d{5}$/) })]),
});

app.post('/orders', (req, res) => {
  const parsed = Order.safeParse(req.body);
  if (!parsed.success) return res.status(422).json(parsed.error.issues);
  const id = v4();
  orders.set(id, parsed.data);
  res.status(201).json({ id, ...parsed.data, ref: v5(parsed.data.item, v5.URL), ok: validate(id) });
});
app.get('/orders', (req, res) => res.json([...orders.values()].map((o) => o.item)));

app.post(
  '/people/:id',
  param('id').isInt({ min: 1 }).toInt(),
  query('lang').optional().isIn(['en', 'de']),
  body('email').isEmail().normalizeEmail(),
  body('name').trim().isLength({ min: 2 }).escape(),
  body('age').optional().isInt().toInt(),
  (req, res) => {
    const errors = validationResult(req);
    if (!errors.isEmpty()) return res.status(400).json({ errors: errors.array() });
    res.json(matchedData(req));
  },
);

app.post('/upload', upload.fields([{ name: 'doc', maxCount: 1 }, { name: 'pic', maxCount: 1 }]), (req, res) => {
  const files = Object.values(req.files ?? {}).flat();
  res.json({ fields: req.body, files: files.map((f) => ({ name: f.originalname, type: f.mimetype, size: f.size, head: f.buffer.subarray(0, 8).toString('hex') })) });
});

app.post('/token', (req, res) => res.json({ token: jwt.sign({ sub: req.body.user, role: req.body.role ?? 'guest' }, secret, { expiresIn: '1h', issuer: 'forms' }) }));
app.post('/fixed', (req, res) => res.json({ token: jwt.sign({ sub: req.body.user, iat: 1700000000 }, secret, { noTimestamp: true }) }));
app.get('/me', (req, res) => {
  const token = (req.get('Authorization') ?? '').replace(/^Bearer /, '');
  jwt.verify(token, secret, { ignoreExpiration: true }, (err, claims) => {
    if (err) return res.status(401).json({ error: err.name, message: err.message });
    res.json({ claims, head: jwt.decode(token, { complete: true }).header });
  });
});

app.use((err, req, res, next) => res.status(err.status ?? 500).json({ error: err.message, code: err.code, field: err.field }));
app.listen(Number(process.env.PORT || 3000));
