'use strict';
// Cells are no modules, yet people write `import` in them: declarations become `await` of a function
// that does the same, on as many lines, and import() calls that function.
const CALL = '__import__';

const REGEX_AFTER = new Set('(,=:[!&|?{};+-*%~^<>');
const WORDS_BEFORE_REGEX = new Set(['return', 'typeof', 'case', 'in', 'of', 'delete', 'void', 'throw',
  'new', 'else', 'do', 'await', 'yield']);

function endOfString(code, at) {
  const quote = code[at];
  for (at++; at < code.length && code[at] !== quote && code[at] !== '\n'; at++) {
    if (code[at] === '\\') at++;
  }
  return at + 1;
}

function endOfRegex(code, at) {
  let inClass = false;
  for (at++; at < code.length && code[at] !== '\n' && (inClass || code[at] !== '/'); at++) {
    if (code[at] === '\\') at++;
    else if (code[at] === '[') inClass = true;
    else if (code[at] === ']') inClass = false;
  }
  return at + 1;
}

// Where the word `import` stands as code: [{at, depth, starts}]; `starts`: at the start of a statement.
function findImports(code) {
  const found = [], open = [];
  let before = ';', word = '';
  for (let at = 0; at < code.length;) {
    const c = code[at], two = code.slice(at, at + 2);
    if (two === '//') {
      at = (code.indexOf('\n', at) + 1 || code.length + 1) - 1;
    } else if (two === '/*') {
      at = (code.indexOf('*/', at + 2) + 1 || code.length) + 1;
    } else if (c === '"' || c === "'") {
      at = endOfString(code, at);
      before = c;
    } else if (c === '/' && (REGEX_AFTER.has(before) || WORDS_BEFORE_REGEX.has(word))) {
      at = endOfRegex(code, at);
      before = '/';
    } else if (c === '`' || (c === '}' && open.at(-1) === '`')) {
      if (c === '}') open.pop();
      for (at++; at < code.length && code[at] !== '`' && code.slice(at, at + 2) !== '${'; at++) {
        if (code[at] === '\\') at++;
      }
      if (code[at] === '$') {
        open.push('`');
        at++;
      }
      at++;
      before = '`';
    } else if (/[\w$]/.test(c)) {
      word = /^[\w$]+/.exec(code.slice(at, at + 200))[0];
      const starts = before === ';' || before === '}' || before === '\n';
      if (word === 'import' && before !== '.') found.push({ at, depth: open.length, starts });
      at += word.length;
      before = 'w';
      continue;
    } else {
      if ('([{'.includes(c)) open.push(c);
      else if (')]}'.includes(c)) open.pop();
      if (c === '\n' ? before !== ',' && before !== '=' : /\S/.test(c)) before = c;
      at++;
    }
    if (/\S/.test(c)) word = '';
  }
  return found;
}

const DECLARATION = new RegExp(
  '^import\\s*(?:([\\w$]+)\\s*,?\\s*)?(?:\\*\\s*as\\s+([\\w$]+)\\s*|\\{([^}]*)\\}\\s*)?(?:from\\s*)?' +
  '(["\'])((?:(?!\\4)[^\\n\\\\])*)\\4(?:\\s*(?:with|assert)\\s*(\\{[^}]*\\}))?');

function declared([all, name, space, names, , specifier, options]) {
  const call = `await ${CALL}(${JSON.stringify(specifier)}${options ? `, {with: ${options}}` : ''})`;
  const lines = ';' + '\n'.repeat(all.split('\n').length - 1);  // so that it ends there
  const taken = (names || '').replace(/\/\*[^]*?\*\/|\/\/.*/g, '').split(',').map((s) => s.trim())
    .filter(Boolean).map((s) => s.replace(/\s+as\s+/, ': '));
  if (space && !name) return `const ${space} = ${call}${lines}`;
  if (space) return `const ${space} = ${call}, ${name} = ${space}.default${lines}`;
  if (name) taken.unshift(`default: ${name}`);
  return (taken.length ? `const {${taken.join(', ')}} = ${call}` : call) + lines;
}

function withoutImports(code) {
  if (!code.includes('import')) return code;
  let out = '', done = 0;
  for (const { at, depth, starts } of findImports(code)) {
    const match = depth === 0 && starts && DECLARATION.exec(code.slice(at));
    const call = /^import\s*\(/.test(code.slice(at, at + 100));
    if (at < done || !(match || call)) continue;
    out += code.slice(done, at) + (call ? CALL : declared(match));
    done = at + (call ? 'import'.length : match[0].length);
  }
  return out + code.slice(done);
}

module.exports = { CALL, withoutImports };
