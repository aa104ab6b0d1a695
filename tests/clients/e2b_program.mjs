// e2b_program.mjs PACKAGE: a program as E2B's documentation teaches to write one, with an unmodified SDK. Prints what it saw, as JSON.
import './localhost.mjs';
import { readFile, writeFile } from 'node:fs/promises';

const { Sandbox } = await import(process.argv[2]);
const seen = {};

const sandbox = await Sandbox.create({ timeoutMs: 120_000, metadata: { user: 'alice' }, envs: { NAME: 'Alice' } });

// Files: write, upload what is here, list, read, download.
await sandbox.files.write('/home/user/orders.csv', await readFile(process.argv[3]));
await sandbox.files.write([{ path: 'notes/a.txt', data: 'A' }, { path: 'notes/b.txt', data: 'B' }]);
seen.listed = (await sandbox.files.list('/home/user/notes')).map((file) => file.name).sort();

// Code: a table, a chart, streaming, an error, another language, a context.
const load = await sandbox.runCode(`
import pandas as pd
orders = pd.read_csv('/home/user/orders.csv')
int(orders.groupby('region').amount.sum()['north'])`);
seen.total = load.text;
const streamed = [];
await sandbox.runCode(`
import time
for i in range(3):
    print(i)
    time.sleep(0.05)`, { onStdout: (message) => streamed.push(message.line ?? message) });
seen.streamed = streamed.join('');
const drawn = await sandbox.runCode(`
import matplotlib.pyplot as plt
sums = orders.groupby('region').amount.sum()
plt.bar(sums.index, sums.values)
plt.title('Orders')
plt.show()
sums.to_csv('/home/user/sums.csv')`);
const [{ png, chart }] = drawn.results;
await writeFile(process.argv[4], Buffer.from(png, 'base64'));
seen.chart = [chart.type, chart.title, chart.elements.map((bar) => [bar.label, bar.value])];
const failed = await sandbox.runCode('orders.nothing');
seen.error = [failed.error.name, failed.logs.stdout];
seen.javascript = (await sandbox.runCode('[1, 2, 3].map((n) => n * 2).join()', { language: 'js' })).text;
seen.bash = (await sandbox.runCode('echo "Hello, $NAME"', { language: 'bash' })).logs.stdout.join('');
const context = await sandbox.createCodeContext({ cwd: '/home/user/notes', language: 'python' });
seen.context = (await sandbox.runCode('open("a.txt").read()', { context })).text;

// Downloads: through the SDK, and by an address that needs no key.
seen.sums = await sandbox.files.read('/home/user/sums.csv');
seen.address = await (await fetch(await sandbox.downloadUrl('/home/user/sums.csv'))).text() === seen.sums;

// Commands: one, one in the background with its output as it comes, a terminal.
seen.command = (await sandbox.commands.run('ls /home/user/notes | wc -l')).stdout.trim();
let heard = '';
const background = await sandbox.commands.run('for i in 1 2 3; do echo $i; sleep 0.05; done; sleep 60', {
  background: true, onStdout: (data) => { heard += data; },
});
while (heard !== '1\n2\n3\n') await new Promise((resolve) => setTimeout(resolve, 20));
seen.killed = await background.kill();
let screen = '';
const terminal = await sandbox.pty.create({ cols: 80, rows: 24, onData: (data) => { screen += new TextDecoder().decode(data); } });
await sandbox.pty.sendInput(terminal.pid, new TextEncoder().encode('echo in a ter""minal; exit\n'));
await terminal.wait();
seen.terminal = screen.includes('in a terminal');

// Its life: time-out, information, list, pause, connect, kill.
await sandbox.setTimeout(60_000);
seen.info = (await sandbox.getInfo()).metadata;
const running = await Sandbox.list({ query: { metadata: { user: 'alice' } } }).nextItems();
seen.running = running.some((one) => one.sandboxId === sandbox.sandboxId);
let same = sandbox;
if (sandbox.pause ?? sandbox.betaPause) {
  await (sandbox.pause ?? sandbox.betaPause).call(sandbox);
  same = await Sandbox.connect(sandbox.sandboxId);
}
seen.again = (await same.runCode('len(orders)')).text;
seen.kill = await same.kill();
console.log(JSON.stringify(seen));
process.exit(0);
