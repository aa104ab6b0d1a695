'use strict';
// Loaded into every thread of a node whose memory RLIMIT_DATA holds: V8 would map half a gigabyte
// for the code of each worker, writable, which counts whether it is used or not.
const threads = require('worker_threads');

const CODE_RANGE_MB = 32;

threads.Worker = class Worker extends threads.Worker {
  constructor(filename, options = {}) {
    super(filename, {
      ...options, resourceLimits: { codeRangeSizeMb: CODE_RANGE_MB, ...options.resourceLimits },
    });
  }
};
require('module').syncBuiltinESMExports();
