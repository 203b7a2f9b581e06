// Middleware that reads files of its own, and an app that serves what lies in packages.
const path = require('path');
const express = require('express');
const errorhandler = require('errorhandler');
const serveIndex = require('serve-index');

const app = express();
const folder = path.join(__dirname, 'views-pug');
app.use('/files', express.static(folder), serveIndex(folder, { icons: true, view: 'details' }));
app.use('/lib', express.static(path.join(__dirname, 'node_modules', 'uuid', 'dist', 'cjs-browser')));
app.use('/scripts', express.static(path.dirname(require.resolve('pug/package.json')), { maxAge: '1h' }));
app.get('/fail/:name', (req, res, next) => {
  const error = new Error(`no ${req.params.name}`);
  error.stack = `Error: no ${req.params.name}\n    at nowhere`;
  error.status = 418;
  next(error);
});
app.get('/main', (req, res) => res.json({ main: require.main === module, parent: module.parent, id: module.id, file: path.basename(require.main.filename) }));
app.use(errorhandler({ log: false }));
app.listen(process.env.PORT || 3000);
