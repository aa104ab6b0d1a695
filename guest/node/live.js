'use strict';
// Cells of a session, in one context that lives. V8 evaluates them as its console does: `let`,
// `const` and classes stay and may be declared again, `await` works outside of functions, and the
// value of the last expression comes back.
//
// A cell ends when its code has ended and the event loop has nothing left to do for it, as a program
// would; timers that repeat and servers that listen do not keep it. Between cells nothing runs: the
// process waits for its next frame.
const { statSync } = require('fs');
const inspector = require('inspector');
const Module = require('module');
const net = require('net');
const path = require('path');
const url = require('url');
const { TYPE, F, KIND, FLAG, send, receive } = require('./channel.js');
const { CALL, withoutImports } = require('./imports.js');
const outside = require('./outside.js');
const rich = require('./rich.js');
const errors = require('./errors.js');

const TAKE = Symbol.for('retort.take');
let session = new inspector.Session();
const { setImmediate, clearImmediate } = globalThis;  // cells may replace them
const loadHere = (specifier) => import(specifier);

// Ends JavaScript after an interrupt: interrupt.c. Without it only a cell that waits can be interrupted. What node has for that,
// breakOnSigint, is in force while a script runs and at no moment before or behind it: an interrupt was lost there, or ended node.
const watch = rich.guarded(() => {
  const library = { exports: {} };
  process.dlopen(library, path.join(__dirname, 'interrupt.so'));
  return library.exports;
}, { arm() {}, asked: () => true, disarm: () => false });

class Exit {
  constructor(code) { this.code = code; }
}

const state = {
  cell: 0, source: '', quiet: false, running: false, settled: false, taken: undefined,
  known: new Map(),  // name to value, as the last cell left it
  base: null,        // names of the global object that are node's own
  timers: new Set(), servers: new Set(),
  calls: 0, connected: false,
};

// ---- Asking V8 ----

function post(method, params) {
  let answer;
  session.post(method, params, (error, result) => { answer = error ? null : result; });
  return answer;
}

// When V8 collects an awaited promise that nobody holds, it reports that, and node 24 ends: so the request is dropped before.
function askAnew() {
  session.disconnect();
  session = new inspector.Session();
  session.connect();
}

// The value that an object of the protocol stands for.
function valueOf(remote) {
  if (remote.unserializableValue !== undefined) {
    const text = remote.unserializableValue;
    return text.endsWith('n') ? BigInt(text.slice(0, -1)) : Number(text);
  }
  if (remote.objectId === undefined) return remote.subtype === 'null' ? null : remote.value;
  state.taken = undefined;
  post('Runtime.callFunctionOn', {
    objectId: remote.objectId, silent: true,
    functionDeclaration: 'function () { "use strict"; globalThis[Symbol.for("retort.take")](this); }',
  });
  return state.taken;
}

// [value] of an expression that does nothing but look; null if it does more, or fails.
function peek(expression) {
  const answer = post('Runtime.evaluate', {
    expression, throwOnSideEffect: true, silent: true, timeout: 200, objectGroup: 'cell',
  });
  return answer && !answer.exceptionDetails ? [valueOf(answer.result)] : null;
}

function ownNames() {
  const answer = post('Runtime.globalLexicalScopeNames', {});
  return [...new Set([...(answer ? answer.names : []),
    ...Object.getOwnPropertyNames(globalThis).filter((n) => !state.base.has(n))])];
}

function members(value) {
  const names = new Set();
  for (let o = Object(value), i = 0; o && i < 8; o = Object.getPrototypeOf(o), i++) {
    Object.getOwnPropertyNames(o).forEach((n) => names.add(n));
  }
  return [...names];
}

const scope = {
  names: () => [...ownNames(), ...Object.getOwnPropertyNames(globalThis)],
  members: (expression) => {
    const found = peek(expression);
    return found ? members(found[0]) : [];
  },
  own: (name) => (ownNames().includes(name) ? peek(name) : null),
};

// ---- Variables ----

function changedVariables() {
  const now = new Map(), changes = [];
  for (const name of ownNames().slice(0, 10000)) {
    const found = peek(name);
    if (found) now.set(name, found[0]);
  }
  for (const [name, value] of now) {
    if (!state.known.has(name)) changes.push({ name, type: rich.typeName(value), change: 'new' });
    else if (!Object.is(state.known.get(name), value)) changes.push({ name, type: rich.typeName(value), change: 'changed' });
  }
  for (const [name, value] of state.known) {
    if (!now.has(name)) changes.push({ name, type: rich.typeName(value), change: 'deleted' });
  }
  state.known = now;
  return changes.slice(0, rich.MEMBERS);
}

function listVariables() {
  return ownNames().sort().slice(0, rich.MEMBERS).map((name) => [name, peek(name)]).filter(([, found]) => found)
    .map(([name, [value]]) => ({ name, type: rich.typeName(value), repr: rich.inspect(value, 200, 1) }));
}

// ---- Completion ----

function complete(code, cursor) {
  const line = [...code].slice(0, cursor).join('').split('\n').pop();
  const chain = /([A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d+\])*)\.([\w$]*)$/.exec(line);
  const typed = chain ? chain[2] : (/[A-Za-z_$][\w$]*$/.exec(line) || [''])[0];
  const names = chain ? scope.members(chain[1]) : typed ? scope.names() : [];
  const found = [...new Set(names)].filter((n) => n.startsWith(typed) && n.length < 200 &&
    /^[A-Za-z_$][\w$]*$/.test(n) && (typed.startsWith('_') || !n.startsWith('_'))).sort();
  return { start: cursor - typed.length, names: found.slice(0, 200) };
}

function answer(frame) {
  if (frame.type === TYPE.VARIABLES) {
    send(TYPE.LISTING, [[F.VARIABLES, JSON.stringify(listVariables())]]);
  } else {
    const { start, names } = complete(frame.text(F.CODE) || '', frame.number(F.START));
    send(TYPE.COMPLETIONS, [[F.START, start], ...names.map((n) => [F.NAME, n])]);
  }
  post('Runtime.releaseObjectGroup', { objectGroup: 'cell' });
}

// ---- Names for cells ----

function show(pairs) {
  send(TYPE.DISPLAY, [...pairs.flatMap(([mime, data]) => [[F.MIME, mime], [F.DATA, data]]), [F.CALL, 1]]);
  while (receive().type !== TYPE.SHOWN);  // so that text printed later comes later
}

function display(...values) {
  if (!state.quiet) values.forEach((value) => show(rich.bundle(value)));
}
display.html = (text) => show([['text/plain', '<HTML>'], ['text/html', String(text)]]);
display.markdown = (text) => show([['text/plain', String(text)], ['text/markdown', String(text)]]);
display.json = (value) => show([['text/plain', rich.inspect(value)], ['application/json', JSON.stringify(value)]]);

function callTool(name, given) {
  const call = ++state.calls;
  send(TYPE.TOOL_CALL, [[F.CALL, call], [F.NAME, name], [F.JSON, JSON.stringify(given === undefined ? {} : given)]]);
  const frame = receive();
  if (frame.text(F.ERROR_MESSAGE) !== undefined) throw new Error(frame.text(F.ERROR_MESSAGE));
  return JSON.parse(frame.text(F.JSON));
}

function offerTools(list) {
  const tools = {};
  for (const { name } of list) tools[name] = (given) => callTool(name, given);
  hide('tools', tools);
}

// Resolves modules as for a file in the working directory.
function importHere(specifier, options) {
  let target = String(specifier);
  if (/^\.{0,2}\//.test(target)) target = url.pathToFileURL(path.resolve(target)).href;
  else if (!Module.isBuiltin(target) && !/^[a-z]+:/.test(target)) {
    const found = rich.guarded(() => globalThis.require.resolve(target), null);
    if (found) target = url.pathToFileURL(found).href;
  }
  return options ? import(target, options) : loadHere(target);
}

function hide(name, value) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

// Gives the same numbers when the cells are run again.
function seeded(seed) {
  let a = Number(BigInt.asUintN(32, BigInt(seed))) | 0, b = Math.floor(seed / 2 ** 32) | 0, c = 0x9e3779b9 | 0, d = 1;
  const next = () => {  // sfc32
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  Math.random = function random() {
    return ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
  };
}

function keepTrack() {
  const { setTimeout, setInterval } = globalThis, listen = net.Server.prototype.listen;
  const { promisify } = require('util');
  globalThis.setTimeout = Object.assign(function (...given) {
    const timer = setTimeout.apply(this, given);
    state.timers.add(timer);
    return timer;
  }, { [promisify.custom]: setTimeout[promisify.custom] });
  globalThis.setInterval = function (...given) {
    const timer = setInterval.apply(this, given);
    timer[TAKE] = true;
    state.timers.add(timer);
    return timer;
  };
  net.Server.prototype.listen = function (...given) {
    state.servers.add(this);
    return listen.apply(this, given);
  };
}

// No cell waits for what an earlier cell left behind; for repeating timers, not even its own cell waits.
function letGo(all) {
  for (const timer of state.timers) {
    if (timer._destroyed) state.timers.delete(timer);
    else if (all || timer[TAKE]) timer.unref();
  }
  for (const server of state.servers) server.unref();
}

function hold() {
  for (const timer of state.timers) if (timer[TAKE] && !timer._destroyed) timer.ref();
  for (const server of state.servers) if (server.listening) server.ref();
}

function prepare(seed) {
  seeded(seed);
  outside.take();
  keepTrack();
  const root = Module.createRequire(path.resolve('cell.js'));
  hide('require', root);
  hide('module', { exports: {}, require: root });
  hide('exports', {});
  hide('__dirname', path.resolve('.'));
  hide('__filename', path.resolve('cell.js'));
  hide('display', display);
  hide(CALL, importHere);
  hide('tools', {});
  hide(TAKE, (value) => { state.taken = value; });
  process.exit = (code = process.exitCode) => { throw new Exit(Number(code) || 0); };
  process.argv = [process.argv[0], ''];
  hide('_', undefined);
  state.base = new Set(Object.getOwnPropertyNames(globalThis));
  process.on('SIGINT', () => { if (state.running && watch.asked()) interrupted(watch.disarm()); });
  watch.arm();
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error) => {
      if (state.running && process.listenerCount(event) === 1) fail(error);
    });
  }
  process.on('beforeExit', () => {
    if (!state.running) return;
    if (watch.disarm()) interrupted(true);
    else if (state.settled) succeed();
    else fail(new Error('the cell waits for a promise that nothing is left to settle'));
  });
  for (const stream of [process.stdout, process.stderr]) {
    if (stream._handle && stream._handle.setBlocking) stream._handle.setBlocking(true);
  }
}

// ---- Cells ----

function javascriptOf(code, language) {
  if (language !== 'typescript') return code;
  if (!Module.stripTypeScriptTypes) {
    throw new Error(`TypeScript needs a node that strips types, 22.13 or later; this one is ${process.version}`);
  }
  return Module.stripTypeScriptTypes(code);
}

// Runs in a process that waits for a session: does what a first cell would have to wait for.
function ahead() {
  session.connect();
  state.connected = true;
  post('Runtime.evaluate', { expression: '[{a: 1}]', replMode: true, awaitPromise: true });
  post('Runtime.globalLexicalScopeNames', {});
  rich.bundle([{ a: 1 }]);
  outside.take();
}

function begin(seed, first) {
  if (!state.connected) session.connect();
  prepare(seed);
  next(first);
}

// Answers frames until one has begun a cell, whose end comes by the event loop.
function next(first) {
  for (let frame = first || receive(); ; frame = receive()) {
    if (frame.type === TYPE.COMPLETE || frame.type === TYPE.VARIABLES) answer(frame);
    else if (frame.type === TYPE.TOOLS) offerTools(JSON.parse(frame.text(F.JSON)));
    else if (frame.type === TYPE.ANEW) follow(frame);
    else if (frame.type === TYPE.CELL) return run(frame);
  }
}

// The working directory may have been removed and made again. For open files, node cannot say which ones they were.
function follow(frame) {
  rich.guarded(() => {
    const at = frame.numbers(F.INODE).indexOf(statSync('.').ino);
    if (at >= 0) process.chdir(path.join('/work', frame.all(F.PATH)[at]));
  });
}

function run(frame) {
  Object.assign(state, {
    cell: frame.number(F.CELL), source: frame.text(F.CODE) || '', running: true, settled: false,
    quiet: Boolean(frame.number(F.FLAGS) & FLAG.QUIET), value: undefined,
  });
  watch.arm();
  outside.begin(frame.text(F.STATE));
  hold();
  state.begins = setImmediate(evaluate, frame.text(F.LANGUAGE));  // in 'beforeExit' an interrupt would end node
}

function evaluate(language) {
  const { cell } = state;
  const settle = (error, result) => {
    if (state.cell === cell) state.waits = false;
    if (!state.running || state.cell !== cell) return;
    if (error && error.message.endsWith('Execution was terminated')) return;  // as node 24 reports it; the interrupt itself follows
    if (error) return fail(new Error(error.message));
    if (result.exceptionDetails) return fail(valueOf(result.exceptionDetails.exception || {}), result.exceptionDetails);
    const value = valueOf(result.result);
    state.value = state.timers.has(value) ? undefined : value;  // a timer is not worth showing
    state.settled = true;
    letGo(false);
  };
  try {
    const expression = `${withoutImports(javascriptOf(state.source, language))}\n//# sourceURL=<cell-${cell}>`;
    state.waits = true;
    session.post('Runtime.evaluate', {
      expression, replMode: true, awaitPromise: true, userGesture: true, objectGroup: 'cell',
    }, settle);
  } catch (error) {
    fail(error);
  }
}

// The interrupt may come in the middle of console.log. Its bytes are written, for that is done at once, but the stream has
// not heard of it: what is printed later would wait for ever.
function unstick(stream) {
  const writing = stream._writableState;
  if (!writing) return;
  writing.bufferProcessing = false;
  try {
    while (writing.corked) stream.uncork();
    if (writing.writing) writing.onwrite();
  } catch {
    // a stream of the cell's own
  }
}

// `ended`: the interrupt ended it in the middle of its work.
function interrupted(ended) {
  if (ended) for (const stream of [process.stdout, process.stderr]) unstick(stream);
  finish([[F.ERROR_NAME, 'Interrupted'], [F.ERROR_MESSAGE, 'the cell was interrupted'],
    [F.ERROR_TRACEBACK, 'Interrupted: the cell was interrupted']], KIND.INTERRUPTED);
}

function fail(error, details) {
  if (error instanceof Exit) return finish([[F.EXIT_CODE, error.code & 255]], KIND.EXIT);
  const where = details && !details.stackTrace && details.scriptId
    ? { line: details.lineNumber + 1, column: details.columnNumber + 1 } : null;
  const e = errors.describe(error, state.cell, state.source, scope, where);
  finish([
    [F.ERROR_NAME, e.name], [F.ERROR_MESSAGE, e.message], [F.ERROR_TRACEBACK, e.trace],
    ...(e.line ? [[F.ERROR_LINE, e.line], [F.ERROR_SOURCE, e.block]] : []),
    ...(Object.keys(e.values).length ? [[F.ERROR_VALUES, JSON.stringify(e.values)]] : []),
    ...(e.hint ? [[F.ERROR_HINT, e.hint]] : []),
  ], KIND.ERROR);
}

function succeed() {
  const value = state.value;
  hide('_', value === undefined ? globalThis._ : value);
  finish(state.quiet || value === undefined ? [] :
    [[F.VALUE, ''], ...rich.bundle(value).flatMap(([mime, data]) => [[F.MIME, mime], [F.DATA, data]])], KIND.OK);
}

function finish(fields, kind) {
  watch.disarm();
  clearImmediate(state.begins);
  const { list, note } = outside.end();
  if (list) fields.push([F.STATE, list]);
  if (note) fields.push([F.NOTE, note]);
  const changes = rich.guarded(changedVariables, []);
  if (!state.quiet && changes.length) fields.push([F.VARIABLES, JSON.stringify(changes)]);
  state.running = false;
  state.value = undefined;
  if (state.waits) askAnew();
  state.waits = false;
  letGo(true);
  post('Runtime.releaseObjectGroup', { objectGroup: 'cell' });
  send(TYPE.RESULT, [[F.CELL, state.cell], [F.KIND, kind], ...fields]);
  next();
}

module.exports = { ahead, begin };
