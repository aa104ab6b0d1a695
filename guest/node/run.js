'use strict';
// Entry of the JavaScript guest: `node run.js`, descriptor 3 is the channel. A program runs as the
// main CommonJS module, node prints and exits as it always does, and the result is sent on the way
// out; cells of a session go to live.js.
const path = require('path');
const Module = require('module');
const { TYPE, F, KIND, FLAG, send, receive } = require('./channel.js');

function bounded(make, limit) {
  try {
    return String(make()).slice(0, limit);
  } catch {
    return '<unprintable>';
  }
}

// Frames of the cell and of files beside it; those of node and of this file are left out.
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
  const fields = [[F.KIND, KIND.ERROR], [F.ERROR_NAME, name], [F.ERROR_MESSAGE, message],
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
  const hint = isError ? bounded(() => require('./errors.js').outside(error), 1000) : '';
  if (hint && hint !== '<unprintable>') fields.push([F.ERROR_HINT, hint]);
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

// Where no cgroup holds memory, an argument says how much a cell may have. The library takes the variable
// away when it has set the limit; node throws because it is no module.
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
  const given = process.argv.slice(2), ahead = given.includes('ahead');
  limitMemory(given.find((argument) => argument !== 'ahead'));
  if (ahead) require('./live.js').ahead();
  send(TYPE.READY, [[F.VERSION, process.version], [F.PID, process.pid]]);
  let seed = 0;
  for (;;) {
    const frame = receive();
    if (frame.type === TYPE.HELLO) {
      const data = frame.all(F.DATA);
      frame.all(F.NAME).forEach((name, i) => { process.env[name] = data[i]; });
      seed = frame.number(F.SEED);
      require('./proxy.js');
    } else if (frame.type === TYPE.CELL && frame.number(F.FLAGS) & FLAG.SCRIPT) {
      return cell(frame.text(F.CODE) || '', frame.text(F.FILENAME));
    } else {
      return require('./live.js').begin(seed, frame);
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
    if (failure) send(TYPE.RESULT, errorFields(failure.error, file, source));
    else if (called || code) send(TYPE.RESULT, [[F.KIND, KIND.EXIT], [F.EXIT_CODE, code & 255]]);
    else send(TYPE.RESULT, [[F.KIND, KIND.OK]]);
  });
  writeAll();
  runMain(source, file);
}

serve();
