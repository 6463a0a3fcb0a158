import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guideGroups, guidePath, guides } from '../../rest/docs/guides.ts';
import { anyServer, siteOf } from '../../rest/docs/served.ts';
import { createSite } from '../../rest/docs/site.ts';
import type { ApiDocument } from '../../rest/docs/reference/document.ts';
import { openApiDocument } from '../../rest/openapi/document.ts';
import { catalogue } from '../../src/errors/catalogue.ts';
import { startHarness, type Harness } from '../support/harness.ts';

const document = openApiDocument() as unknown as ApiDocument;
const server = 'https://payouts.example.com';
const drawn = createSite(document, anyServer);
const { pages } = drawn;
const site = siteOf(drawn, server);
const text = (path: string): string => site.documents.get(path)?.bytes.toString() ?? '';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(harness.baseUrl + path, { method, headers, redirect: 'manual' });

test('the image has what the pages are made from', () => {
  const taken = readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8').split('\n');
  const others = guides.map(({ file }) => file).filter((file) => !file.startsWith('docs/'));
  expect(taken).toEqual(expect.arrayContaining(['!docs/', ...others.map((file) => `!${file}`)]));
});

describe('over HTTP', () => {
  test('/ leads to the documents, which need no key', async () => {
    const answer = await get('/');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
    const front = await get('/docs');
    expect(front.status).toBe(200);
    expect(await front.text()).toContain('<h1>Payouts API</h1>');
    for (const path of ['/docs/', '/docs/guides/quickstart/']) {
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    }
  });

  test.each(pages.map(({ path }) => path))('%s is a page', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const body = await answer.text();
    expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(body));
    // What the policy refuses, and what comes of a value that is not there.
    expect(body).not.toMatch(/<script(?! type="module" src=)|<style|\sstyle=|\son\w+=/);
    expect(body.replaceAll(/<pre[^]*?<\/pre>/g, '')).not.toMatch(/\bundefined\b|\[object/);
  });

  test('a page that has not changed is 304', async () => {
    const etag = (await get('/docs/guides/webhooks')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await get('/docs/guides/webhooks', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get('/docs/guides/webhooks', { 'if-none-match': '*' })).status).toBe(304);
    const other = await get('/docs/guides/webhooks', { 'if-none-match': '"another"' });
    expect(other.status).toBe(200);
  });

  test('a guide is also Markdown, by its address or by what the caller prefers', async () => {
    const byAddress = await get('/docs/guides/quickstart.md');
    expect(byAddress.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const source = await byAddress.text();
    expect(source).toMatch(/^# Quickstart\n/);
    const preferred = await get('/docs/guides/quickstart', { accept: 'text/markdown' });
    expect(preferred.headers.get('vary')).toContain('Accept');
    expect(await preferred.text()).toBe(source);
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const accept of [browser, '*/*', 'application/json']) {
      const answer = await get('/docs/guides/quickstart', { accept });
      expect(answer.headers.get('content-type')).toContain('text/html');
    }
  });

  test('what is not there is a page that says so, and one policy is on all of them', async () => {
    const missing = [
      '/docs/nothing',
      '/docs/guides/nothing',
      '/docs/guides/..%2f..%2fpackage.json',
    ];
    for (const path of missing) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).toContain('There is no such page');
      expect(answer.headers.get('content-security-policy')).toBe(
        "default-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self'",
      );
    }
    expect((await get('/docs/assets/site.ts')).status).toBe(404);
  });

  test('they are read and nothing else', async () => {
    for (const path of ['/', '/docs', '/docs/errors', '/docs/search', '/llms.txt']) {
      const head = await get(path, {}, 'HEAD');
      expect([path, head.status < 400, await head.text()]).toEqual([path, true, '']);
      const options = await get(path, {}, 'OPTIONS');
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
      const posted = await get(path, {}, 'POST');
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });

  test('an asset may be kept for good under the address that a page names', async () => {
    const [, address = ''] = /<script type="module" src="([^"]+)"/.exec(text('/docs')) ?? [];
    const kept = await get(address);
    expect(kept.headers.get('cache-control')).toContain('immutable');
    expect(kept.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const other = await get('/docs/assets/docs.js?v=another');
    expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  });

  test('the search answers without a script, and shows what was asked as text', async () => {
    const found = await (await get('/docs/search?q=approve+payout')).text();
    expect(found).toContain('/docs/reference/decisions#approvePayout');
    const nothing = await (await get('/docs/search?q=zzzqqq')).text();
    expect(nothing).toContain('Nothing has all of these words');
    const attack = await (await get('/docs/search?q=%3Cimg%20src=x%3E&q=2')).text();
    expect(attack).not.toContain('<img src=x');
    const escaped = await (await get('/docs/search?q=%3Cimg%20src=x%3E')).text();
    expect(escaped).not.toContain('<img src=x');
    expect(escaped).toContain('&lt;img src=x&gt;');
  });

  test('programs find the guides by /llms.txt', async () => {
    const answer = await get('/llms.txt');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const body = await answer.text();
    for (const { slug } of guides) expect(body).toContain(`${guidePath(slug)}.md)`);
  });
});

describe('the pages', () => {
  test('are those that would be made for the service that shows them', async () => {
    const own = createSite(document, server);
    for (const [path, type, page] of own.documents) {
      expect(site.documents.get(path)?.type).toBe(type);
      expect(text(path)).toBe(page);
    }
    expect(site.documents.size).toBe(own.documents.length);
    const theirs = siteOf(own, server);
    expect(site.search('idempotency key')).toBe(theirs.search('idempotency key'));
    expect(site.notFound).toBe(theirs.notFound);
  });

  test('have an address with any characters', async () => {
    const odd = 'https://payouts.example.com/a&b/$&';
    const [own, placedThere] = [createSite(document, odd), siteOf(drawn, odd)];
    for (const [path, , page] of own.documents) {
      expect(placedThere.documents.get(path)?.bytes.toString()).toBe(page);
    }
  });

  test('ask for the assets that are there', () => {
    for (const { path } of pages) {
      const asked = [...text(path).matchAll(/\/docs\/assets\/([\w.]+)\?v=([\w-]+)/g)];
      expect(asked.length).toBeGreaterThan(3);
      for (const [, file = '', version] of asked) {
        expect([file, site.assets.get(file)?.version]).toEqual([file, version]);
      }
    }
  });

  const anchors = (path: string): Set<string> =>
    new Set([...text(path).matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
  const unescape = (address: string) => address.replaceAll('&amp;', '&');

  test.each(pages.map(({ path }) => path))('%s has no dead link and no id twice', (path) => {
    const body = text(path);
    const dead = [...body.matchAll(/\shref="([^"]+)"/g)]
      .map(([, href = '']) => unescape(href))
      .filter((href) => !/^(?:https:|mailto:)/.test(href))
      .filter((href) => {
        const { pathname, hash } = new URL(href, `https://docs.example${path}`);
        if (pathname === '/v1/openapi.json') return false;
        const file = /^\/docs\/assets\/(.+)$/.exec(pathname)?.[1];
        if (file !== undefined) return !site.assets.has(file);
        if (!site.documents.has(pathname)) return true;
        return hash !== '' && !anchors(pathname).has(decodeURIComponent(hash.slice(1)));
      });
    expect(dead).toEqual([]);
    const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test('every place that the search finds is there', () => {
    const entries = pages.flatMap((page) => page.entries);
    expect(entries.length).toBeGreaterThan(150);
    const dead = entries.filter(({ path }) => {
      const [page = '', anchor] = path.split('#');
      return anchor === undefined ? !site.documents.has(page) : !anchors(page).has(anchor);
    });
    expect(dead).toEqual([]);
  });

  test('every operation and every error code is described once', () => {
    const reference = pages.filter(({ path }) => path.startsWith('/docs/reference/'));
    const described = reference.flatMap(({ path }) => [
      ...text(path).matchAll(/<section class="operation" aria-labelledby="([^"]+)"/g),
    ]);
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    const events = Object.values(document.webhooks ?? {}).length;
    expect(described).toHaveLength(ids.length + events);
    expect(described.map(([, id]) => id)).toEqual(expect.arrayContaining(ids));
    expect([...anchors('/docs/errors')]).toEqual(expect.arrayContaining(Object.keys(catalogue)));
  });

  test('an event is named by its type', () => {
    const events = pages.find(({ path }) => path === '/docs/reference/events');
    expect(events?.headings.map(({ text: name }) => name)).toEqual(
      Object.keys(document.webhooks ?? {}),
    );
  });

  test('the examples of a guide call the service that shows it', () => {
    const example = 'BASE_URL=https://payouts.example.com\n';
    expect(text('/docs/guides/quickstart.md')).toContain(example);
    expect(pages.filter(({ path }) => text(path).includes('localhost:3000'))).toEqual([]);
  });

  test('a call that a guide names is an operation', () => {
    const named = guides.flatMap(({ slug }) => [
      ...text(guidePath(slug)).matchAll(
        /(<a href="[^"]*">)?<code>(?:GET|POST|PUT|PATCH|DELETE) \/v1\/[^<]*<\/code>/g,
      ),
    ]);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(([, link]) => link === undefined).map(([call]) => call)).toEqual([]);
  });

  test('each guide stands in the list once and has a title and a summary', () => {
    const slugs = guides.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(Object.values(guideGroups).every((group) => group.length > 0)).toBe(true);
    for (const { path, title, summary } of pages) {
      expect([path, title.length > 0, summary.length > 10]).toEqual([path, true, true]);
    }
  });
});
