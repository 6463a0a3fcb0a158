import { html, type Html } from '../../src/values/html.ts';

/** What a piece of code may be, in the order in which it is looked for. */
interface Grammar {
  readonly comment?: RegExp;
  readonly key?: RegExp;
  readonly string: RegExp;
  readonly word?: RegExp;
}

const double = /"(?:[^"\\\n]|\\.)*"/;
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;
const slashes = /(?<![:\w])\/\/[^\n]*|\/\*[^]*?\*\//;
const hash = /(?<![\w$'"&])#[^\n]*/;

const script: Grammar = {
  comment: slashes,
  string: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/,
  word: /\b(?:import|from|export|const|let|function|return|if|for|of|await|async|new|func|type|package|var|throw|try|catch)\b/,
};

const grammars: Readonly<Record<string, Grammar>> = {
  json: { key: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/, string: double, word: /\b(?:true|false|null)\b/ },
  sh: {
    comment: hash,
    key: /\$\{?\w+\}?|(?<=^|[\s(])[A-Z_]+(?==)/m,
    string: /"(?:[^"\\]|\\.)*"|'[^']*'/,
    word: /(?<=^|[\s(|])(?:curl|npm|jq|openssl|until|do|done|sleep)\b/m,
  },
  graphql: {
    comment: hash,
    key: /\$\w+/,
    string: double,
    word: /\b(?:query|mutation|subscription|fragment|on)\b/,
  },
  js: script,
  ts: script,
  go: script,
  php: { ...script, comment: /\/\*[^]*?\*\/|\/\/[^\n]*/, key: /\$\w+/ },
  python: {
    comment: hash,
    string: /"""[^]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/,
    word: /\b(?:import|from|def|return|if|for|not|or|and|is|None)\b/,
  },
  ruby: {
    comment: hash,
    string: quoted,
    word: /\b(?:require|def|return|if|end|unless)\b/,
  },
  sql: {
    comment: /--[^\n]*/,
    string: /'[^']*'/,
    word: /\b(?:SELECT|FROM|WHERE|INSERT|INTO|UPDATE|SET|VALUES|AND|OR|ON|CONFLICT|DO|NOTHING)\b/,
  },
  ini: { comment: hash, key: /^[\w.]+(?==)/m, string: quoted },
};

/** Marks comments, names, strings and words of the language; other languages stay as they are. */
function highlight(language: string, code: string): Html {
  const grammar = grammars[language];
  if (grammar === undefined) return html`${code}`;
  const kinds = Object.entries(grammar) as [string, RegExp][];
  const pattern = new RegExp(
    kinds.map(([kind, { source }]) => `(?<${kind}>${source})`).join('|'),
    'gm',
  );
  const parts: (string | Html)[] = [];
  let done = 0;
  for (const match of code.matchAll(pattern)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    parts.push(code.slice(done, match.index), html`<span class="${kind}">${match[0]}</span>`);
    done = match.index + match[0].length;
  }
  return html`${parts}${code.slice(done)}`;
}

const labels: Readonly<Record<string, string>> = {
  sh: 'Shell',
  json: 'JSON',
  graphql: 'GraphQL',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
  sql: 'SQL',
  ini: 'Settings',
};

/** A block of code; the script adds a button that copies it. A long line is scrolled by keyboard too. */
export function codeBlock(language: string, code: string, label?: string): Html {
  const text = label ?? labels[language] ?? 'Text';
  return html`<figure class="code">
    <figcaption>${text}</figcaption>
    <pre tabindex="0"><code>${highlight(language, code.replace(/\n$/, ''))}</code></pre>
  </figure>`;
}
