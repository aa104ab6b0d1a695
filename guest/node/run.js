'use strict';
// Entry of the JavaScript guest: `node run.js`, descriptor 3 is the channel (src/wire/frame.h).
// One cell per process: it runs as the main CommonJS module, node prints and exits as it always
// does, and the result is sent on the way out.
const fs = require('fs');
const path = require('path');
const Module = require('module');

const CHANNEL = 3;
const READY = 1, RESULT = 4, HELLO = 64, CELL = 65;
const F = {
  VERSION: 1, PID: 2, DATA: 5, NAME: 10, CODE: 16, FILENAME: 18, KIND: 19, EXIT_CODE: 20,
  ERROR_NAME: 22, ERROR_MESSAGE: 23, ERROR_TRACEBACK: 24, ERROR_LINE: 25, ERROR_SOURCE: 26,
};
const OK = 0, ERROR = 1, EXIT = 2;
const writeSync = fs.writeSync, readSync = fs.readSync;  // the cell may replace those of the module

function field(tag, value) {
  let data = Buffer.from(typeof value === 'number' ? '' : value);
  if (typeof value === 'number') {
    data = Buffer.alloc(8);
    data.writeBigInt64LE(BigInt(value));
  }
  const head = Buffer.alloc(8);
  head[0] = tag;
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

function send(type, fields) {
  const payload = Buffer.concat(fields.map(([tag, value]) => field(tag, value)));
  const head = Buffer.alloc(8);
  head.writeUInt32LE(payload.length, 0);
  head[4] = type;
  const bytes = Buffer.concat([head, payload]);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(CHANNEL, bytes, at);
  } catch {
    // The cell closed the channel: the broker goes by the exit status.
  }
}

function read(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size;) {
    const got = readSync(CHANNEL, bytes, at, size - at, null);
    if (got === 0) process.reallyExit(0);
    at += got;
  }
  return bytes;
}

function receive() {
  const head = read(8);
  const payload = read(head.readUInt32LE(0));
  const fields = [];
  for (let at = 0; at < payload.length;) {
    const end = at + 8 + payload.readUInt32LE(at + 4);
    fields.push([payload[at], payload.subarray(at + 8, end)]);
    at = end;
  }
  return { type: head[4], fields };
}

function bounded(make, limit) {
  try {
    return String(make()).slice(0, limit);
  } catch {
    return '<unprintable>';
  }
}

// Frames of the cell and of files beside it; those of node and of this file help nobody.
function userFrames(stack, file) {
  const directory = path.dirname(file) + path.sep;
  return stack.split('\n').filter((line) =>
    !/^\s+at /.test(line) || (line.includes(directory) && !line.includes(__filename))).join('\n');
}

function errorFields(error, file, source) {
  const isError = error instanceof Error;
  const name = isError ? bounded(() => error.name, 200) : 'Error';
  const message = bounded(() => (isError ? error.message : error), 8192);
  const stack = isError ? bounded(() => error.stack, 32768) : '';
  const trace = userFrames(stack, file) || `${name}: ${message}`;
  const fields = [[F.KIND, ERROR], [F.ERROR_NAME, name], [F.ERROR_MESSAGE, message],
    [F.ERROR_TRACEBACK, trace]];
  const at = stack.split(file + ':')[1];
  const line = at ? parseInt(at, 10) : NaN;
  if (line > 0) {
    const lines = source.split('\n');
    const block = [];
    for (let n = Math.max(line - 2, 1); n <= Math.min(line + 2, lines.length); n++) {
      const mark = n === line ? '>' : ' ';
      block.push(`${mark} ${String(n).padStart(4)} | ${lines[n - 1].slice(0, 400)}`);
    }
    fields.push([F.ERROR_LINE, line], [F.ERROR_SOURCE, block.join('\n')]);
  }
  return fields;
}

// Otherwise process.exit() loses what does not fit into the pipe at that moment.
function writeAll() {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream._handle && stream._handle.setBlocking) stream._handle.setBlocking(true);
  }
}

function runMain(source, file) {
  const main = new Module('.', null);
  main.filename = file;
  main.paths = Module._nodeModulePaths(path.dirname(file));
  process.mainModule = main;
  process.argv = [process.argv[0], file];
  main._compile(source, file);
  main.loaded = true;
}

// Where no cgroup holds memory, argv says how much a cell may have. The library takes the variable
// away when it has set the limit; that it is no module, node says by an exception.
function limitMemory(bytes) {
  if (!bytes) return;
  process.env.RETORT_MEMORY = bytes;
  try {
    process.dlopen({ exports: {} }, path.join(__dirname, 'limit.so'));
  } catch (error) {
    if (process.env.RETORT_MEMORY !== undefined) throw error;
  }
}

function serve() {
  limitMemory(process.argv[2]);
  send(READY, [[F.VERSION, process.version], [F.PID, process.pid]]);
  for (;;) {
    const { type, fields } = receive();
    const values = (tag) => fields.filter(([t]) => t === tag).map(([, data]) => data.toString());
    if (type === HELLO) {
      const data = values(F.DATA);
      values(F.NAME).forEach((name, i) => { process.env[name] = data[i]; });
    } else if (type === CELL) {
      return cell(values(F.CODE)[0] || '', values(F.FILENAME)[0]);
    }
  }
}

function cell(source, filename) {
  const file = path.resolve(filename || '[cell].js');
  let failure = null, called = false;
  // The monitor sees uncaught exceptions and unhandled rejections without changing what node does
  // about them; a handler of the cell's own makes them caught.
  process.on('uncaughtExceptionMonitor', (error) => {
    if (process.listenerCount('uncaughtException') === 0) failure = { error };
  });
  const exit = process.exit;
  process.exit = function (code) {
    called = true;
    return exit.call(process, code);
  };
  process.on('exit', (code) => {
    if (failure) send(RESULT, errorFields(failure.error, file, source));
    else if (called || code) send(RESULT, [[F.KIND, EXIT], [F.EXIT_CODE, code & 255]]);
    else send(RESULT, [[F.KIND, OK]]);
  });
  writeAll();
  runMain(source, file);
}

serve();
