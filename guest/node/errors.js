'use strict';
// Describes an exception: where in a cell it was raised, the line, the values on it, and a hint.
const { cut, guarded, inspect } = require('./rich.js');

const MOST_VALUES = 8;

// Frames of cells and of the user's files; those of node and of the guest are left out.
function userFrames(stack) {
  return stack.split('\n').filter((line) => !/^\s+at /.test(line) ||
    (/<cell-\d+>|\/work\//.test(line) && !line.includes(__dirname))).join('\n');
}

function sourceBlock(source, line, column) {
  const lines = source.split('\n'), block = [];
  for (let n = Math.max(line - 2, 1); n <= Math.min(line + 2, lines.length); n++) {
    block.push(`${n === line ? '>' : ' '} ${String(n).padStart(4)} | ${lines[n - 1].slice(0, 400)}`);
    if (n === line && column > 0 && column <= 400) block.push(`       | ${' '.repeat(column - 1)}^`);
  }
  return block.join('\n');
}

// How many letters were left out, added, changed or swapped.
function distance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i], last = rows[i - 1];
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (a[i - 1] !== b[j - 1])));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}

function closest(name, names) {
  const most = name.length < 3 ? 0 : Math.max(1, Math.floor(name.length / 3));
  return [...new Set(names)].filter((n) => n !== name && Math.abs(n.length - name.length) <= most)
    .map((n) => [distance(name.toLowerCase(), n.toLowerCase()), n]).filter(([d]) => d <= most)
    .sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1)).slice(0, 3).map(([, n]) => n);
}

const meant = (names) => (names.length ? `did you mean ${names.join(', ')}?` : '');

// A hint for a failure that only a change outside of the session can repair; '' if it is none.
function outside(error) {
  const message = guarded(() => String(error.message), '');
  const match = /^Cannot find (?:module|package) '([^'./][^']*)'/.exec(message);
  if (match) {
    const name = cut(match[1].split('/').slice(0, match[1][0] === '@' ? 2 : 1).join('/'), 80);
    return `${name} is not installed, and nothing can be installed from here. Outside, \`retort env create NAME --npm ${name}\` `
      + 'makes an environment that has it, for sessions with `--environment NAME`.';
  }
  const code = guarded(() => String((error.cause || error).code), '');
  if (!['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH'].includes(code)) return '';
  return process.env.HTTPS_PROXY
    ? 'this session reaches the hosts that its rules allow, by the proxy in HTTPS_PROXY and in no other way'
    : 'this session has no network. Outside, `--allow HOST` (or `network` of session.create) lets a session reach that host.';
}

// `scope` has names(), and members(expression) without side effects.
function hint(error, scope) {
  const message = guarded(() => String(error.message), '');
  let match = /^([\w$]+) is not defined$/.exec(message);
  if (match) return meant(closest(match[1], scope.names()));
  match = /^([\w$.]+)\.([\w$]+) is not (?:a function|a constructor|iterable)/.exec(message);
  if (match) return meant(closest(match[2], scope.members(match[1])));
  match = /^Cannot read properties of (undefined|null) \(reading '([^']*)'\)/.exec(message);
  if (match) return `what stands before .${cut(match[2], 80)} is ${match[1]}: print it, or use ?.`;
  return outside(error);
}

// The names on a line that have a value now, with their values.
function lineValues(text, scope) {
  const values = {};
  for (const name of new Set(text.match(/(?<![\w$.])[A-Za-z_$][\w$]*/g) || [])) {
    if (Object.keys(values).length >= MOST_VALUES) break;
    const value = scope.own(name);
    if (value && typeof value[0] !== 'function') values[name] = inspect(value[0], 80, 1);
  }
  return values;
}

// {name, message, trace, line, block, values, hint}. `where`: line and column, if they are known from elsewhere.
function describe(error, cell, source, scope, where) {
  const isError = error instanceof Error || guarded(() => typeof error.stack === 'string', false);
  const name = isError ? guarded(() => String(error.name), 'Error') : 'Error';
  const message = isError ? guarded(() => String(error.message), '') : inspect(error, 8192);
  const stack = isError ? guarded(() => String(error.stack), '') : '';
  const at = new RegExp(`<cell-${cell}>:(\\d+):(\\d+)`).exec(stack);
  const line = at ? Number(at[1]) : where ? where.line : 0, column = at ? Number(at[2]) : where ? where.column : 0;
  const text = source.split('\n')[line - 1];
  return {
    name: cut(name, 200), message: cut(message, 8192),
    trace: cut(userFrames(cut(stack, 32768)).trimEnd() || `${name}: ${message}`, 32768),
    line: text === undefined ? 0 : line,
    block: text === undefined ? '' : sourceBlock(source, line, column),
    values: text === undefined ? {} : lineValues(text, scope),
    hint: isError ? guarded(() => hint(error, scope), '') : '',
  };
}

module.exports = { describe, outside };
