"""Snippets of JavaScript as cells, beside the same in plain node: one value, one output."""
import json
import shutil
import subprocess

import pytest
import rpc

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

SNIPPETS = r"""
1 + 1
'a' + 1 + null
[1, 2, 3].map(x => x * x)
[..."abc"].reverse().join('')
({a: 1, b: {c: [1, 2]}})
new Map([['k', new Set([1, 2])]])
new Date(0)
/a+(b)/gi.exec('xaab')
Symbol('s')
2n ** 100n
-0
NaN
[undefined, null, , 3]
function f(a, b) { return a + b }; f
class A { #p = 1; get p() { return this.#p } static s = 2 }; new A()
class B extends Array {}; B.from([1, 2])
Object.create(null)
Object.create({inherited: 1})
new Proxy({a: 1}, {})
[1, 2, 3].at(-1)
Object.fromEntries([['a', 1], ['b', 2]])
structuredClone({d: new Date(0), m: new Map([[1, 2]])})
JSON.stringify({a: [1, {b: 2}]}, null, 2)
'%s is %d'.replace('%s', 'x')
`a${1 + 1}b${`c${3}`}`
((a, ...rest) => rest.length)(1, 2, 3)
let {x, ...others} = {x: 1, y: 2, z: 3}; others
var hoisted = typeof later; var later = 1; hoisted
label: for (let i = 0; ; i++) { for (;;) { if (i > 2) break label; break } } 'done'
(function* () { yield 1; yield* [2, 3] })().next()
[...(function* () { yield 1; yield* [2, 3] })()]
let total = 0; for (const n of new Set([1, 2, 3])) total += n; total
try { null.x } catch (e) { e.constructor.name }
try { JSON.parse('{') } catch (e) { e instanceof SyntaxError }
new Error('shown').message
[3, 1, 2].sort((a, b) => b - a)
[10, 9, 1].sort()
[1, [2, [3, [4]]]].flat(Infinity)
Array.from({length: 3}, (_, i) => i * 2)
new Uint8Array([1, 2, 300])
Buffer.from('héllo')
Buffer.from('aGk=', 'base64').toString()
require('path').join('/a', '..', 'b')
require('util').inspect({deep: {er: {and: {deeper: {still: 1}}}}})
require('util').format('%s %o %j', 'a', [1], {b: 2})
require('crypto').createHash('sha256').update('x').digest('hex')
require('zlib').gunzipSync(require('zlib').gzipSync('text')).toString()
require('url').parse('http://a.b/c?d=e').query
new URL('../x?q=1#h', 'http://h.test/a/b/c').href
new Intl.NumberFormat('en-US').format(1234567.891)
(1234.5678).toFixed(2)
0.1 + 0.2
parseInt('0x1f') + Number('0b11')
'ﬀ'.toUpperCase() + 'ß'.toUpperCase()
'a-b_c'.split(/[-_]/)
'2020-01-02'.replace(/(\d+)-(\d+)-(\d+)/, '$3.$2.$1')
[..."aXbX".matchAll(/X/g)].map(m => m.index)
new Date(Date.UTC(2024, 1, 29)).toISOString()
typeof globalThis.process
process.argv.length > 0
Number.MAX_SAFE_INTEGER + 2
[1, 2, 3].includes(2) && Object.is(NaN, NaN)
Object.getOwnPropertyNames(class { static m() {} }).sort()
new WeakMap() instanceof WeakMap
Promise.resolve(1)
async function g() { return 1 }; g.constructor.name
console.log('%c styled', 'color: red'); console.error('err'); console.log([1, {a: 2}], 'x'); 7
console.table([{a: 1, b: 'x'}, {a: 2}]); console.group('g'); console.log('in'); console.groupEnd(); 8
""".strip().split("\n")


def plain(code):
    """What node's own evaluation of the last expression gives, shown as cells show it."""
    shown = ("const vm = require('vm'), util = require('util'); globalThis.require = require;\n"
             "const value = vm.runInThisContext(%s);\n"
             "require('fs').writeSync(3, util.inspect(value, {depth: 4, maxArrayLength: 100, maxStringLength: 10000, breakLength: 80}))"
             % json.dumps(code))
    command = ["sh", "-c", "exec 3>value; exec %s -e \"$0\"" % NODE, shown]
    return command


@pytest.fixture(scope="module")
def session(light):
    server = rpc.Server(light)
    yield server
    assert server.close() == 0


@pytest.mark.few
def test_values_and_output_are_those_of_node(session, tmp_path):
    assert len(SNIPPETS) >= 60
    one = session.session(language="javascript")
    for code in SNIPPETS:
        done = subprocess.run(plain(code), cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, (code, done.stderr)
        result = one.run(code)
        assert result["status"] == "ok", (code, result["error"])
        value = result["value"]["text/plain"] if result["value"] else "undefined"
        assert (value, result["stdout"], result["stderr"]) == ((tmp_path / "value").read_text(), done.stdout, done.stderr), code
    one.close()
