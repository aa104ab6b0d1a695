'use strict';
// Clock and entropy. A state of JavaScript comes back by running its cells again, on another day and in another process: so
// what a cell learned from outside is written down with it, and told again when it runs again.
//
// The list is text with a line for each answer: its kind, its value and how often in a row it was given. What is longer
// than MOST ends with FULL; answers after that are new ones every time.
const crypto = require('crypto');
const { syncBuiltinESMExports } = require('module');

const MOST = 64 << 10, LINE = 32, FULL = 'full', KEY = 32;
const READ = { number: Number, ticks: BigInt, text: String, bytes: (text) => Buffer.from(text, 'base64') };
const real = {
  Date, now: Date.now, hrtime: process.hrtime, ticks: process.hrtime.bigint, uptime: process.uptime,
  random: crypto.randomBytes, cipher: crypto.createCipheriv, setImmediate,
};

const cell = {
  runs: false, kept: [], size: 0, full: false,
  again: null,    // the answers of its first run; null: this is the first run
  other: false,   // it asks other questions than in its first run
  itself: false,  // a library drew for itself
  asks: false,    // Node itself asks, for an answer that is written down
};

function begin(text) {
  Object.assign(cell, { runs: true, kept: [], size: 0, full: false, other: false, itself: false, asks: false, again: null });
  if (text === undefined) return;
  cell.again = text.split('\n').filter(Boolean).map((line) => {
    const [kind, value, count] = line.split(' ');
    return { kind, value: kind in READ ? READ[kind](value) : null, count: Number(count) };
  });
}

function keep(kind, value) {
  const last = cell.kept.at(-1);
  if (last && last.kind === kind && last.value === value) return void last.count++;
  cell.size += LINE + (typeof value === 'object' ? value.length * 2 : 0);
  cell.full = cell.size > MOST;
  if (!cell.full) cell.kept.push({ kind, value, count: 1 });
}

// Some functions of Node ask others: performance.now() of Node 18 asks process.hrtime(). Such inner questions are not the cell's.
function asked(make) {
  cell.asks = true;
  try {
    return make();
  } finally {
    cell.asks = false;
  }
}

// The value that `make` gives, or gave when the cell ran first.
function told(kind, make) {
  if (cell.asks) return make();
  const next = cell.runs && cell.again ? cell.again[0] : null;
  if (next && next.kind === kind) {
    if (--next.count === 0) cell.again.shift();
    return next.value;
  }
  const value = asked(make);
  if (cell.runs && cell.again) cell.other = true;
  else if (cell.runs && !cell.full) keep(kind, value);
  return value;
}

// The list of a cell's first run; or the notes on a cell that ran again.
function end() {
  cell.runs = false;
  if (cell.again) return { note: note() };
  const lines = cell.kept.map(({ kind, value, count }) =>
    `${kind} ${kind === 'bytes' ? value.toString('base64') : value} ${count}`);
  if (cell.full) lines.push(FULL);
  return { list: lines.join('\n') };
}

function note() {
  if (cell.itself) return 'it made keys or primes, which are others now';
  const [left] = cell.again;
  if (left && left.kind === FULL && cell.other) return 'it looked at the clock or drew random bytes more often than is written down: from there on it got others';
  return cell.other || left ? 'it looked at the clock or drew random bytes otherwise than when it ran first' : '';
}

// ---- The clock ----

// A function that is used instead of another, and looks like it. Where it lives differs between versions of Node.
function instead(object, name, make) {
  let holder = object;
  while (!Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder);
  const was = Object.getOwnPropertyDescriptor(holder, name);
  const old = was.get || was.value, fresh = make(old);
  Object.defineProperties(fresh, Object.getOwnPropertyDescriptors(old));
  Object.defineProperty(holder, name, was.get ? { ...was, get: fresh } : { ...was, value: fresh });
  return fresh;
}

function takeDate() {
  const now = () => told('number', real.now);
  instead(Date, 'now', () => ({ now() { return now(); } }).now);
  globalThis.Date = new Proxy(real.Date, {
    construct: (target, given, made) => Reflect.construct(target, given.length ? given : [now()], made),
    apply: (target) => new target(now()).toString(),
  });
  Object.defineProperty(Date.prototype, 'constructor', { value: Date, writable: true, configurable: true });
}

function takeTicks() {
  const holder = Object.getPrototypeOf(performance), origin = performance.timeOrigin;
  instead(holder, 'now', (old) => function now() { return told('number', () => old.call(this)); });
  Object.defineProperty(performance, 'timeOrigin', { configurable: true, get: () => told('number', () => origin) });
  const ticks = () => told('ticks', real.ticks);
  instead(process, 'hrtime', (old) => function hrtime(before) {
    if (before !== undefined) old(before);  // refuses an invalid argument
    const passed = ticks() - (before ? BigInt(before[0]) * 1000000000n + BigInt(before[1]) : 0n);
    return [Number(passed / 1000000000n), Number(passed % 1000000000n)];
  });
  process.hrtime.bigint = function bigint() { return ticks(); };
  instead(process, 'uptime', () => function uptime() { return told('number', real.uptime); });
}

// ---- Entropy ----

// Many bytes are made of a few, which are as good and shorter to write down.
function bytes(size) {
  if (size <= KEY) return Buffer.from(told('bytes', () => real.random(size)));
  const stream = real.cipher('aes-256-ctr', told('bytes', () => real.random(KEY)), Buffer.alloc(16));
  return stream.update(Buffer.alloc(size));
}

function fill(target, offset = 0, count) {
  const unit = target.BYTES_PER_ELEMENT || 1, begins = offset * unit;
  const size = count === undefined ? target.byteLength - begins : count * unit;
  new Uint8Array(target.buffer || target, (target.byteOffset || 0) + begins, size).set(bytes(size));
  return target;
}

// Answers to a callback come later, as without this module.
const answered = (callback, value) => (callback ? void real.setImmediate(callback, null, value) : value);
const split = (given) => (typeof given.at(-1) === 'function' ? [given.slice(0, -1), given.at(-1)] : [given, null]);

function takeEntropy() {
  instead(crypto, 'randomBytes', (old) => function randomBytes(size, callback) {
    const refused = !Number.isInteger(size) || size < 0 || size > 0x7fffffff ||
      (callback !== undefined && typeof callback !== 'function');
    return refused ? old(size, callback) : answered(callback, bytes(size));
  });
  const filled = crypto.randomFillSync;  // the original, which refuses what cannot be filled
  instead(crypto, 'randomFillSync', (old) => function randomFillSync(target, offset, size) {
    old(target, offset, size);
    return fill(target, offset, size);
  });
  instead(crypto, 'randomFill', (old) => function randomFill(...all) {
    const [[target, ...place], callback] = split(all);
    if (!callback) return old(...all);
    filled(target, ...place);
    return answered(callback, fill(target, ...place));
  });
  instead(crypto, 'randomInt', (old) => function randomInt(...all) {
    const [given, callback] = split(all), value = old(...given);
    return answered(callback, told('number', () => value));
  });
  instead(crypto, 'randomUUID', (old) => function randomUUID(options) {
    const value = old(options);
    return told('text', () => value);
  });
  const web = Object.getPrototypeOf(crypto.webcrypto);
  instead(web, 'getRandomValues', (old) => function getRandomValues(target) { return fill(old.call(this, target)); });
  instead(web, 'randomUUID', (old) => function randomUUID() {
    const value = old.call(this);
    return told('text', () => value);
  });
}

function watchKeys() {
  const subtle = Object.getPrototypeOf(crypto.webcrypto.subtle);
  for (const name of ['generateKey', 'generateKeySync', 'generateKeyPair', 'generateKeyPairSync', 'generatePrime',
    'generatePrimeSync', 'createDiffieHellman', 'createECDH']) watch(crypto, name);
  watch(subtle, 'generateKey');
}

function watch(holder, name) {
  instead(holder, name, (old) => function (...given) {
    cell.itself = true;
    return new.target ? Reflect.construct(old, given) : old.apply(this, given);
  });
}

// From here on cells use these functions.
let taken = false;
function take() {
  if (taken) return;
  taken = true;
  takeDate();
  takeTicks();
  takeEntropy();
  watchKeys();
  syncBuiltinESMExports();
}

module.exports = { take, begin, end };
