'use strict';
// Frames over descriptor 3; the format is described in src/wire/frame.h.
const fs = require('fs');

const CHANNEL = 3;
const TYPE = {
  READY: 1, DISPLAY: 2, RESULT: 4, TOOL_CALL: 5, COMPLETIONS: 7, LISTING: 10,
  HELLO: 64, CELL: 65, COMPLETE: 66, TOOL_RESULT: 67, TOOLS: 69, SHOWN: 71, VARIABLES: 73, ANEW: 74,
};
const F = {
  VERSION: 1, PID: 2, MIME: 4, DATA: 5, PATH: 6, JSON: 9, NAME: 10, CALL: 11, NOTE: 12, START: 13, SEED: 14, CELL: 15,
  CODE: 16, FLAGS: 17, FILENAME: 18, KIND: 19, EXIT_CODE: 20, VALUE: 21, ERROR_NAME: 22,
  ERROR_MESSAGE: 23, ERROR_TRACEBACK: 24, ERROR_LINE: 25, ERROR_SOURCE: 26, ERROR_VALUES: 27,
  ERROR_HINT: 28, VARIABLES: 29, LANGUAGE: 33, STATE: 34, INODE: 35,
};
const KIND = { OK: 0, ERROR: 1, EXIT: 2, INTERRUPTED: 3 };
const FLAG = { QUIET: 1, SCRIPT: 2 };
const writeSync = fs.writeSync, readSync = fs.readSync;  // cells may replace the module's

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
    // The cell closed the channel: the broker uses the exit status.
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

// The next frame: its type, and functions for the values of a tag as text or a number.
function receive() {
  const head = read(8);
  const payload = read(head.readUInt32LE(0));
  const fields = [];
  for (let at = 0; at < payload.length;) {
    const end = at + 8 + payload.readUInt32LE(at + 4);
    fields.push([payload[at], payload.subarray(at + 8, end)]);
    at = end;
  }
  const all = (tag) => fields.filter(([t]) => t === tag).map(([, data]) => data.toString());
  const numbers = (tag) => fields.filter(([t]) => t === tag).map(([, data]) => Number(data.readBigInt64LE()));
  return { type: head[4], all, numbers, text: (tag) => all(tag)[0], number: (tag) => numbers(tag)[0] || 0 };
}

module.exports = { TYPE, F, KIND, FLAG, send, receive };
