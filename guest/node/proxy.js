'use strict';
// fetch() by way of the session's gate. From version 24 on Node obeys HTTPS_PROXY itself (NODE_USE_ENV_PROXY); in those before,
// fetch can be told how to connect, by whoever has seen one of its agents. Loaded by cells, and by every node of a session with
// the network (NODE_OPTIONS); it does nothing before fetch is called.
const OBEYS = 24;
const AGENT = Symbol.for('undici.globalDispatcher.1');
const { readFileSync } = require('fs');

let trusted;  // made once, because it has 140 authorities

function trust() {
  const file = process.env.NODE_EXTRA_CA_CERTS;  // node itself reads it when it starts, if it exists then
  if (file && !trusted) trusted = require('tls').createSecureContext({ ca: readFileSync(file) });
  return trusted ? { secureContext: trusted } : {};
}

// Calls back only once: a socket that fails while it is handed over reports that twice.
function once(done) {
  let told = false;
  return (error, socket) => {
    if (!told) done(error, socket);
    told = true;
  };
}

function secured(socket, host, servername, done) {
  const secure = require('tls').connect({ socket, host, servername, ALPNProtocols: ['http/1.1'], ...trust() });
  secure.once('secureConnect', () => done(null, secure)).once('error', done);
}

function tunnel(proxy, { hostname, port, protocol, servername }, done) {
  const secure = protocol === 'https:', place = `${hostname}:${port || (secure ? 443 : 80)}`;
  const request = require('http').request({
    host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: place, headers: { host: place }, agent: false,
  });
  request.once('error', done).once('connect', (answer, socket) => {
    if (answer.statusCode !== 200) {
      socket.destroy();
      done(new Error(answer.statusMessage));
    } else if (secure) secured(socket, hostname, servername == null ? hostname : servername, done);
    else done(null, socket);
  });
  request.end();
}

function isNear(host) {
  return (process.env.NO_PROXY || '').split(',').includes(host.replace(/^\[|\]$/g, ''));
}

// An agent like node's own, except for how it connects; for local addresses, node's own still connects.
function agentLike(usual) {
  const agent = new usual.constructor({
    connect(given, done) { tunnel(new URL(process.env.HTTPS_PROXY), given, once(done)); },
  });
  const { dispatch } = agent;
  agent.dispatch = (options, handler) =>
    (isNear(new URL(options.origin).hostname) ? usual.dispatch(options, handler) : dispatch.call(agent, options, handler));
  return agent;
}

function obey() {
  const usual = globalThis.fetch;
  let ready = false;
  globalThis.fetch = function fetch(...given) {
    void globalThis.Headers;  // makes node load the code that makes its agent
    if (!ready && globalThis[AGENT]) globalThis[AGENT] = agentLike(globalThis[AGENT]);
    ready = true;
    return usual(...given);
  };
}

if (process.env.HTTPS_PROXY && globalThis.fetch && parseInt(process.versions.node, 10) < OBEYS) obey();
