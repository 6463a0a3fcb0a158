import { describe, expect, test } from 'vitest';
import { find, excerpt } from '../../rest/docs/match.ts';
import { codeBlock } from '../../rest/docs/highlight.ts';
import { renderMarkdown, renderText, type Links } from '../../rest/docs/markdown.ts';
import { curlOf } from '../../rest/docs/reference/curl.ts';
import type { ApiDocument, Schema } from '../../rest/docs/reference/document.ts';
import { sampleOf } from '../../rest/docs/reference/sample.ts';
import { contents, typeText } from '../../rest/docs/reference/schema.ts';

const links: Links = {
  link: (href) => (href.startsWith('#') ? href : null),
  code: (text) => (text === 'GET /v1/x' ? '/docs/reference/x#getX' : null),
};
const rendered = (source: string): string => renderText(source, links).toString().trim();

describe('Markdown', () => {
  test('HTML in a text is shown and not passed on; a comment is dropped', () => {
    expect(rendered('<img src=x onerror=alert(1)>')).toBe('&lt;img src=x onerror=alert(1)&gt;');
    expect(rendered('a <b>b</b>')).toBe('<p>a &lt;b&gt;b&lt;/b&gt;</p>');
    expect(rendered('<!-- begin generated: x -->')).toBe('');
    expect(rendered('`<i>` & `"`')).toBe('<p><code>&lt;i&gt;</code> &amp; <code>&quot;</code></p>');
  });

  test('a link leads to what is served or out over https; others are their text', () => {
    expect(rendered('[a](https://example.com/?a=1&b=2)')).toBe(
      '<p><a href="https://example.com/?a=1&amp;b=2" rel="noopener">a</a></p>',
    );
    expect(rendered('[a](#b)')).toBe('<p><a href="#b">a</a></p>');
    for (const href of [
      'javascript:alert(1)',
      'data:text/html,x',
      '../src/x.ts',
      '//evil.example',
    ]) {
      expect(rendered(`[a](${href})`)).toBe('<p>a</p>');
    }
    expect(rendered('![a](https://example.com/x.png)')).toBe('<p>a</p>');
  });

  test('an operation in backquotes is a link', () => {
    expect(rendered('`GET /v1/x`')).toContain('<a href="/docs/reference/x#getX"><code>');
    expect(rendered('`GET /v1/y`')).toBe('<p><code>GET /v1/y</code></p>');
  });

  test('a page has its title, its headings with anchors as GitHub makes them, and its sections', () => {
    const source =
      '# The `title`\n\nFirst *words*.\n\n## A & b, c\n\nx\n\n## A & b, c\n\n### `d_e`\n\ny';
    const page = renderMarkdown('/p', source, links);
    expect([page.title, page.summary]).toEqual(['The title', 'First words.']);
    expect(page.headings).toEqual([
      { id: 'a--b-c', text: 'A & b, c', level: 2 },
      { id: 'a--b-c-1', text: 'A & b, c', level: 2 },
      { id: 'd_e', text: 'd_e', level: 3 },
    ]);
    expect(page.entries.map(({ path, text }) => [path, text])).toEqual([
      ['/p', 'First words.'],
      ['/p#a--b-c', 'x'],
      ['/p#a--b-c-1', ''],
      ['/p#d_e', 'y'],
    ]);
    expect(page.content.toString()).not.toContain('The <code>title</code>');
    expect(() => renderMarkdown('/p', 'no title', links)).toThrow(
      '/p does not begin with a heading',
    );
  });

  test('code keeps every character, whatever is marked in it', () => {
    const samples = {
      sh: `A=$(x) # comment\ncurl "$A" -d '{"a":"#1 <b>"}' \\\n  --url 'x'`,
      json: '{"a": "b\\"c", "d": [1, true, null], "e": "<script>"}',
      ts: "const a = `x ${y}`; // z\nimport b from 'b';",
      unknown: '<&"\'>',
    };
    for (const [language, code] of Object.entries(samples)) {
      const text = codeBlock(language, code)
        .toString()
        .replace(/^[^]*<code>([^]*)<\/code>[^]*$/, '$1')
        .replaceAll(/<\/?span[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      expect(text).toBe(code);
    }
  });
});

describe('schemas', () => {
  const document: ApiDocument = {
    info: { title: 'x', version: '1' },
    paths: {},
    components: {
      schemas: {
        Tree: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          },
        },
        Base: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      },
    },
  };
  const drawn = (schema: Schema): string => contents({ document, links }, schema)?.toString() ?? '';
  const type = (schema: Schema): string => typeText(document, schema);

  test('a type is said in a few words', () => {
    expect(type({ type: ['string', 'null'] })).toBe('string or null');
    expect(type({ type: 'string', format: 'date-time' })).toBe('string, date-time');
    expect(type({ anyOf: [{ type: 'integer' }, { type: 'null' }] })).toBe('integer or null');
    expect(type({ type: 'array', items: { type: 'string' } })).toBe('list of string');
    expect(type({ const: true })).toBe('true');
    expect(type({ type: 'string', enum: ['a', 'b'] })).toBe('string, one of');
    expect(type({ allOf: [{ $ref: '#/components/schemas/Base' }] })).toBe('object');
    expect(type({})).toBe('anything');
  });

  test('a schema that holds itself is drawn once', () => {
    const text = drawn({ $ref: '#/components/schemas/Tree' });
    expect(text.match(/<code>name<\/code>/g)).toHaveLength(1);
    expect(text).toContain('list of object');
  });

  test('several forms stand side by side; parts that hold at once are one', () => {
    const forms = drawn({
      oneOf: [
        { title: 'By name', type: 'object', properties: { name: { type: 'string' } } },
        { type: 'object', properties: { id: { const: 'x' } } },
      ],
    });
    expect(forms).toContain('By name');
    expect(forms).toContain('Form 2');
    const both = drawn({
      allOf: [
        { $ref: '#/components/schemas/Base' },
        { type: 'object', properties: { id: { enum: ['a', 'b'] }, more: { type: 'boolean' } } },
      ],
    });
    expect(both.match(/class="field"/g)).toHaveLength(2);
    expect(both).toMatch(/<code>id<\/code>[^]*required[^]*<code>a<\/code>/);
  });

  test('limits are said in words', () => {
    const text = drawn({
      type: 'object',
      properties: {
        amount: { type: 'integer', minimum: 1, maximum: 999_999_999_999 },
        any: {
          type: 'integer',
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
        },
        code: { type: 'string', minLength: 3, maxLength: 3, default: 'abc' },
        rows: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1_000 },
      },
    });
    expect(text).toContain('1 to 999,999,999,999');
    expect(text).not.toContain('9,007');
    expect(text).toContain('exactly 3 characters');
    expect(text).toContain('<code>abc</code> by default');
    expect(text).toContain('1 to 1,000 items');
  });

  test('a reference that leads nowhere is an error', () => {
    expect(() => drawn({ $ref: '#/components/schemas/None' })).toThrow('leads nowhere');
  });

  test('a sample is what the document shows, else something of the type', () => {
    const schema: Schema = {
      type: 'object',
      required: ['state', 'at'],
      properties: {
        state: { enum: ['a', 'b'] },
        at: { type: 'string', format: 'date' },
        shown: { type: 'string', examples: ['x'] },
        old: { type: 'string', deprecated: true },
        list: { type: 'array', items: { type: 'integer', minimum: 3 } },
        tree: { $ref: '#/components/schemas/Tree' },
      },
    };
    expect(sampleOf(document, schema, 'required')).toEqual({ state: 'a', at: '2026-11-22' });
    expect(sampleOf(document, schema, 'all')).toMatchObject({ shown: 'x', list: [3] });
    expect(sampleOf(document, schema, 'all')).not.toHaveProperty('old');
  });

  test('a call has the parameters that are required, and quotes its body for a shell', () => {
    const operation = {
      parameters: [
        { name: 'payoutId', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
        { name: 'since', in: 'query', required: true, schema: { type: 'string', format: 'date' } },
      ],
      requestBody: { content: { 'application/json': { example: { name: "O'Hara" } } } },
    };
    expect(curlOf(document, 'put', '/v1/x/{payoutId}', operation, 'https://s')).toBe(
      `curl -X PUT "https://s/v1/x/$PAYOUT_ID?since=2026-11-22" \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "name": "O'\\''Hara"
}'`,
    );
    expect(curlOf(document, 'post', '/v1/x', { security: [] }, 'https://s')).toBe(
      'curl -X POST "https://s/v1/x"',
    );
  });
});

describe('the search', () => {
  const entries = [
    { path: '/a', title: 'Webhooks', of: 'Webhooks', text: 'Verify the signature of an event.' },
    { path: '/b', title: 'INVALID_MONEY', of: 'Error reference', text: 'The amount is malformed.' },
    { path: '/c', title: 'Rates', of: 'Calling', text: 'A webhook is not counted.' },
  ];
  const paths = (question: string) => find(entries, question, 10).map(({ path }) => path);

  test('finds what has every word, the heading before the text', () => {
    expect(paths('webhook')).toEqual(['/a', '/c']);
    expect(paths('webhook counted')).toEqual(['/c']);
    expect(paths('invalid money')).toEqual(['/b']);
    expect(paths('INVALID_MONEY')).toEqual(['/b']);
    expect(paths('webhook zebra')).toEqual([]);
    for (const nothing of ['', '  ', '.*', '(', '\\']) expect(paths(nothing)).toEqual([]);
  });

  test('shows the part of the text that has the word', () => {
    const text = `${'lorem '.repeat(60)}needle ${'ipsum '.repeat(60)}`;
    const part = excerpt(text, 'needle');
    expect(part).toMatch(/^… (?:lorem )+needle (?:ipsum )+…$/);
    expect(part.length).toBeLessThan(180);
    expect(excerpt('short', 'needle')).toBe('short');
  });
});
