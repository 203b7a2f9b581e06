'use strict';

// What the app is told and draws when it starts shows in all that it answers.

const express = require('express');

const mood = process.env.MOOD || 'good';
const began = Date.now();
const lucky = Math.random();

const app = express();
app.get('/mood', (req, res) => res.send(`${mood} ${lucky}`));
app.get('/since', (req, res) => res.send(`${Date.now() - began >= 0}`));

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`moods listens on ${port}`));
