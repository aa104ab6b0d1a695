// e2b.mjs PACKAGE: an unmodified SDK of E2B goes through everything. Prints a line {step, value} or {step, error, message} for each.
import './localhost.mjs';

const { Sandbox } = await import(process.argv[2]);
const interprets = process.argv[2].includes('code-interpreter');

async function step(name, work) {
  try {
    const value = await work();
    console.log(JSON.stringify({ step: name, value: value === undefined ? null : value }));
  } catch (e) {
    console.log(JSON.stringify({ step: name, error: e?.constructor?.name, message: String(e?.message) }));
  }
}

const sbx = await Sandbox.create({ metadata: { task: 'walk' }, envs: { COLOUR: 'red' }, timeoutMs: 120000 });

async function control() {
  await step('is running', () => sbx.isRunning());
  await step('info', async () => { const i = await sbx.getInfo(); return [i.sandboxId === sbx.sandboxId, i.metadata, i.state ?? 'running']; });
  await step('list', async () => (await Sandbox.list({ query: { metadata: { task: 'walk' } } }).nextItems()).length);
  await step('list nothing', async () => (await Sandbox.list({ query: { metadata: { task: 'other' } } }).nextItems()).length);
  await step('set timeout', () => sbx.setTimeout(100000));
  await step('metrics', async () => (await sbx.getMetrics())[0].memTotal);
}

async function code() {
  const run = (text, options) => sbx.runCode(text, options);
  await step('value', async () => (await run('1 + 1')).text);
  await step('output', async () => (await run('import sys\nprint("héllo ✓")\nprint("e", file=sys.stderr)')).logs);
  await step('state', async () => { await run('x = 20'); return (await run('x * 2')).text; });
  await step('string', async () => (await run('"plain"')).text);
  await step('callbacks', async () => {
    const heard = [];
    await run('print(1)\n2', { onStdout: (o) => heard.push(o.line), onResult: (r) => heard.push(r.text) });
    return heard;
  });
  await step('streamed', async () => {
    const times = [];
    await run('import time\nfor i in range(3): print(i, flush=True); time.sleep(0.3)', { onStdout: () => times.push(Date.now()) });
    return times.length >= 3 && times.at(-1) - times[0] > 200;
  });
  await step('error', async () => { const { name, value, traceback } = (await run('1/0')).error; return [name, value, traceback.includes('ZeroDivisionError')]; });
  await step('exit', async () => (await run('raise SystemExit(3)')).error?.name);
  await step('dies', async () => (await run('import os; os._exit(1)')).error !== undefined);
  await step('state after', async () => (await run('x')).text);
  await step('html', async () => { const r = (await run('from IPython.display import HTML\nHTML("<b>b</b>")')).results[0]; return [r.html, r.isMainResult]; });
  await step('table', async () => (await run('import pandas as pd\npd.DataFrame({"a": [1]})')).results[0].html.includes('<table'));
  await step('json', async () => (await run('from IPython.display import JSON\nJSON({"k": [1]})')).results[0].json);
  await step('bar', async () => {
    const r = (await run('import matplotlib.pyplot as plt\nplt.bar(["a", "b"], [1, 2])\nplt.title("bars")\nplt.show()')).results[0];
    return [r.png.startsWith('iVBOR'), r.chart.type, r.chart.title, r.chart.elements.map((e) => [e.label, e.value])];
  });
  await step('line', async () => (await run('plt.plot([1, 2], [3, 4], label="l")\nplt.show()')).results[0].chart.elements);
  await step('pie', async () => (await run('plt.pie([1, 3], labels=["p", "q"])\nplt.show()')).results[0].chart.elements.map((e) => [e.label, e.angle]));
  await step('envs', async () => (await run('import os\nos.environ["COLOUR"], os.environ["K"]', { envs: { K: 'v' } })).text);
  await step('envs gone', async () => (await run('"K" in os.environ')).text);
  await step('javascript', async () => { await run('const y = 3', { language: 'javascript' }); return (await run('y + 1', { language: 'js' })).text; });
  await step('bash', async () => (await run('echo $K', { language: 'bash', envs: { K: "it's" } })).logs.stdout.join(''));
  await step('no such language', () => run('1', { language: 'cobol' }));
  await step('abandoned', async () => {
    try { await run('while True: pass', { timeoutMs: 1500 }); } catch (e) { return [e.constructor.name, (await run('x')).text]; }
  });
}

async function contexts() {
  const context = await sbx.createCodeContext({ cwd: '/tmp' });
  await step('context', () => [context.language, context.cwd]);
  await step('context is apart', async () => (await sbx.runCode('x', { context })).error?.name);
  await step('context has a place', async () => (await sbx.runCode('import os\nz = 1\nos.getcwd()', { context })).text);
  await step('first context again', async () => (await sbx.runCode('x')).text);
  await step('context keeps', async () => (await sbx.runCode('z', { context })).text);
  await step('context of bash', async () => {
    const [one, two] = [await sbx.createCodeContext({ language: 'bash' }), await sbx.createCodeContext({ language: 'bash' })];
    for (const [it, word] of [[one, 'one'], [two, 'two']]) await sbx.runCode(`w=${word}`, { context: it });
    return [(await sbx.runCode('echo $w', { context: two })).logs.stdout.join(''), (await sbx.runCode('echo $w', { context: one })).logs.stdout.join('')];
  });
  if (sbx.listCodeContexts) {
    await step('contexts', async () => (await sbx.listCodeContexts()).map((c) => c.language).sort());
    await step('restart', async () => { await sbx.restartCodeContext(context); return (await sbx.runCode('z', { context })).error?.name; });
    await step('remove context', () => sbx.removeCodeContext(context));
    await step('removed context', () => sbx.runCode('z', { context }));
  }
}

async function files() {
  const f = sbx.files;
  await step('write', async () => (await f.write('/home/user/d/hello.txt', 'héllo')).path);
  await step('read', () => f.read('/home/user/d/hello.txt'));
  await step('relative', async () => { await f.write('rel.txt', 'r'); return f.read('/home/user/rel.txt'); });
  await step('bytes', async () => { await f.write('b.bin', new Uint8Array([0, 255, 10]).buffer); return [...await f.read('b.bin', { format: 'bytes' })]; });
  await step('empty', async () => { await f.write('empty', ''); return f.read('empty'); });
  await step('several', async () => (await f.write([{ path: 'm1', data: '1' }, { path: 'm2', data: '2' }])).map((w) => w.path));
  await step('stream', async () => {
    const data = new ReadableStream({ start(c) { for (let i = 0; i < 100; i++) c.enqueue(new TextEncoder().encode('x'.repeat(10000))); c.close(); } });
    await f.write('big', data);
    return (await f.getInfo?.('big'))?.size ?? (await f.read('big')).length;
  });
  await step('missing', () => f.read('nope'));
  await step('outside', () => f.write('/etc/passwd', 'x'));
  await step('climb', () => f.read('../../etc/passwd'));
  await step('list', async () => (await f.list('d')).map((e) => [e.name, e.type, e.path]));
  await step('exists', async () => [await f.exists('rel.txt'), await f.exists('nope')]);
  await step('make directory', async () => [await f.makeDir('made/deep'), await f.makeDir('made/deep')]);
  await step('rename', async () => (await f.rename('rel.txt', 'made/moved.txt')).path);
  await step('remove', async () => { await f.remove('made'); return f.exists('made'); });
  await step('watch', async () => {
    await f.makeDir('w');
    const heard = [];
    const handle = await f.watchDir('w', (e) => heard.push([e.name, e.type]));
    await f.write('w/new.txt', '1');
    for (let i = 0; i < 100 && !heard.length; i++) await new Promise((r) => setTimeout(r, 50));
    await handle.stop();
    return heard[0];
  });
  await step('download', async () => (await fetch(await sbx.downloadUrl('d/hello.txt'))).text());
  await step('upload', async () => {
    const form = new FormData();
    form.append('file', new Blob(['up']), 'up.txt');
    const r = await fetch(await sbx.uploadUrl('up.txt'), { method: 'POST', body: form });
    return [r.status, await f.read('up.txt')];
  });
  await step('stale address', async () => {
    const url = await sbx.downloadUrl('d/hello.txt', { useSignatureExpiration: 60 });
    const old = url.replace(/signature_expiration=\d+/, 'signature_expiration=1');
    return [(await fetch(url)).status, (await fetch(old)).status, (await fetch(url.replace('hello', 'other'))).status];
  });
}

async function commands() {
  const c = sbx.commands;
  await step('command', async () => { const r = await c.run('echo out; echo err >&2; echo $COLOUR'); return [r.exitCode, r.stdout, r.stderr]; });
  await step('command fails', async () => { try { await c.run('exit 3'); } catch (e) { return [e.constructor.name, e.exitCode]; } });
  await step('command options', async () => (await c.run('pwd; echo $FOO', { cwd: '/tmp', envs: { FOO: 'bar' } })).stdout);
  await step('command not there', async () => { try { await c.run('no-such-command'); } catch (e) { return e.exitCode; } });
  await step('background', async () => { const h = await c.run('for i in 1 2 3; do echo $i; sleep 0.1; done', { background: true }); return (await h.wait()).stdout; });
  await step('output as it comes', async () => { const heard = []; await c.run('echo a; sleep 0.3; echo b', { onStdout: (d) => heard.push(d) }); return heard.join(''); });
  await step('much output', async () => (await c.run('head -c 3000000 /dev/zero | tr "\\0" x')).stdout.length);
  await step('input', async () => {
    const h = await c.run('cat', { background: true, stdin: true });
    await c.sendStdin(h.pid, 'line\n');
    if (c.closeStdin) await c.closeStdin(h.pid);
    else await h.kill();
    try { return (await h.wait()).stdout; } catch { return h.stdout; }
  });
  await step('list and kill', async () => {
    const h = await c.run('sleep 60', { background: true });
    const listed = (await c.list()).some((p) => p.pid === h.pid);
    return [listed, await c.kill(h.pid), await c.kill(99999)];
  });
  await step('connect to it', async () => {
    const h = await c.run('sleep 0.5; echo late', { background: true });
    return (await (await c.connect(h.pid)).wait()).stdout;
  });
  await step('too long', () => c.run('sleep 20', { timeoutMs: 800 }));
  await step('beside code', async () => {
    const h = await c.run('for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done', { background: true });
    if (interprets) await sbx.runCode('1');
    return (await h.wait()).stdout.split('\n').length;
  });
  await step('same files', async () => (await c.run('cat /home/user/d/hello.txt')).stdout);
}

async function terminals() {
  let text = '';
  const decoder = new TextDecoder();
  const t = await sbx.pty.create({ cols: 81, rows: 25, onData: (data) => { text += decoder.decode(data, { stream: true }); } });
  const type = (line) => sbx.pty.sendInput(t.pid, new TextEncoder().encode(line));
  const shows = async (pattern) => {
    for (let i = 0; i < 600 && !pattern.test(text); i++) await new Promise((r) => setTimeout(r, 50));
    return pattern.test(text);
  };
  await step('terminal', async () => { await type('tty\n'); return shows(/\/dev\/pts\/\d/); });
  await step('terminal has a size', async () => { await type('stty size\n'); return shows(/25 81/); });
  await step('terminal is resized', async () => {
    await sbx.pty.resize(t.pid, { cols: 100, rows: 30 });
    await type('stty size\n');
    return shows(/30 100/);
  });
  await step('terminal interrupts', async () => {
    await type(`sh -c 'echo be"gun"; exec sleep 600'; echo not "this"\n`); // between two commands, bash may miss the key
    await shows(/begun/);
    await type('\x03');
    await type('echo status $((100 + 30)) $?\n');
    return shows(/status 130 130/);
  });
  await step('terminal ends', async () => {
    await type('echo "typ"ed é; exit 3\n');
    try { await t.wait(); } catch (e) { return [e.constructor.name, e.exitCode, text.match(/typed é/)?.[0]]; }
  });
  await step('terminal is killed', async () => {
    const other = await sbx.pty.create({ cols: 80, rows: 24, onData() {} });
    return [await sbx.pty.kill(other.pid), await sbx.pty.kill(99999)];
  });
}

async function snapshots() {
  await step('snapshot', async () => {
    const { snapshotId } = await sbx.createSnapshot();
    const listed = (await sbx.listSnapshots().nextItems()).some((s) => s.snapshotId === snapshotId);
    const other = await Sandbox.create(snapshotId);
    const said = await other.files.read('d/hello.txt');
    const apart = other.sandboxId !== sbx.sandboxId;
    await other.kill();
    return [listed, apart, said, await Sandbox.deleteSnapshot(snapshotId), await Sandbox.deleteSnapshot(snapshotId)];
  });
}

async function ends() {
  if (sbx.pause) {
    await step('pause', () => sbx.pause());
    await step('pause again', () => sbx.pause());
    await step('is paused', () => sbx.isRunning());
    await step('connect', async () => {
      const again = await Sandbox.connect(sbx.sandboxId);
      return interprets ? (await again.runCode('x')).text : again.files.read('d/hello.txt');
    });
  }
  await step('connect to nothing', () => Sandbox.connect('s_00000000000000000000'));
  await step('kill', () => Sandbox.kill(sbx.sandboxId));
  await step('kill again', () => Sandbox.kill(sbx.sandboxId));
  await step('dead', () => sbx.isRunning());
}

await control();
if (interprets) {
  await code();
  await contexts();
}
await files();
await commands();
await terminals();
await snapshots();
await ends();
process.exit(0);  // connections that the SDK keeps would keep the process
