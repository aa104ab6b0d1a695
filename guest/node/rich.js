'use strict';
// Values as people and programs see them: text, JSON, tables, pictures. Everything is bounded.
const util = require('util');

const TEXT = 64 << 10, MEMBERS = 200, ROWS = 60, COLUMNS = 40, CELL = 200;

function guarded(make, otherwise) {
  try {
    return make();
  } catch {
    return otherwise;
  }
}

function cut(text, limit) {
  return text.length > limit ? text.slice(0, limit - 1) + '…' : text;
}

function inspect(value, limit = TEXT, depth = 4) {
  return cut(guarded(() => util.inspect(value, {
    depth, maxArrayLength: 100, maxStringLength: 10000, breakLength: 80,
  }), '<unprintable>'), limit);
}

function typeName(value) {
  if (value === null) return 'null';
  if (typeof value === 'function' && /^class\b/.test(guarded(() => Function.prototype.toString.call(value), ''))) {
    return 'class';
  }
  if (typeof value !== 'object') return typeof value;
  const name = guarded(() => Object.getPrototypeOf(value)?.constructor?.name, '');
  return cut(typeof name === 'string' && name ? name : 'Object', 200);
}

// Whether JSON can represent all of it: only plain objects, arrays and simple values, not too many.
function isPlain(value, budget = { left: 5000 }) {
  if (--budget.left < 0) return false;
  if (value === null || ['string', 'boolean'].includes(typeof value)) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((v) => isPlain(v, budget));
  const prototype = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  return (prototype === Object.prototype || prototype === null) &&
    Object.values(value).every((v) => isPlain(v, budget));
}

function json(value) {
  return guarded(() => {
    if (typeof value !== 'object' || value === null || util.types.isProxy(value) || !isPlain(value)) return null;
    const text = JSON.stringify(value);
    return text.length <= TEXT ? text : null;
  }, null);
}

const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// An array of objects as a table, or null.
function table(value) {
  const isRow = (row) => typeof row === 'object' && row !== null && !Array.isArray(row) &&
    [Object.prototype, null].includes(Object.getPrototypeOf(row));
  return guarded(() => {
    if (!Array.isArray(value) || !value.length || util.types.isProxy(value) || !value.slice(0, ROWS).every(isRow)) return null;
    const rows = value.slice(0, ROWS);
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, COLUMNS);
    const line = (cells, tag) => `<tr>${cells.map((c) => `<${tag}>${escaped(cut(c, CELL))}</${tag}>`).join('')}</tr>`;
    const text = (v) => (v === undefined ? '' : typeof v === 'string' ? v : inspect(v, CELL, 1));
    const rest = value.length - rows.length;
    return `<table>${line(['', ...columns], 'th')}${rows.map((row, i) =>
      line([String(i), ...columns.map((c) => text(row[c]))], 'td')).join('')}</table>` +
      (rest ? `<p>and ${rest} more rows</p>` : '');
  }, null);
}

function picture(value) {
  if (!Buffer.isBuffer(value) && !(value instanceof Uint8Array)) return null;
  const is = (...bytes) => bytes.every((b, i) => value[i] === b);
  return is(0x89, 0x50, 0x4e, 0x47) ? 'image/png' : is(0xff, 0xd8, 0xff) ? 'image/jpeg' : null;
}

// [[MIME type, data]…] of a value; text first.
function bundle(value) {
  const found = [['text/plain', inspect(value)]];
  const mime = picture(value), text = json(value), html = table(value);
  if (mime) found.push([mime, Buffer.from(value)]);
  if (text) found.push(['application/json', text]);
  if (html) found.push(['text/html', html]);
  return found;
}

module.exports = { MEMBERS, bundle, cut, guarded, inspect, typeName };
