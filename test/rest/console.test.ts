import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { make } from '../../tools/build/make.ts';
import { startHarness, type Harness } from '../support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  await make('console');
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

/** `fetch` unpacks what it gets; this asks for one encoding and keeps the bytes that were sent. */
async function sent(path: string, encoding = 'identity', method = 'GET') {
  const answer = await fetch(harness.baseUrl + path, {
    method,
    headers: { 'accept-encoding': encoding },
  });
  const length = Number(answer.headers.get('content-length'));
  return { answer, length, text: await answer.text() };
}

const named = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

describe('/console', () => {
  test('is one page at every address, and no cache keeps it', async () => {
    for (const path of ['/console', '/console/', '/console/payouts/pay_1', '/console/sign-in']) {
      const { answer, text } = await sent(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(text).toContain('<div id="root"></div>');
    }
  });

  test('has a policy without anything inline and without another host', async () => {
    const { answer, text } = await sent('/console/');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy.split(';').toSorted()).toEqual(
      [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
      ].toSorted(),
    );
    expect(text).not.toMatch(/<style|style=|<script(?![^>]*src=)|https?:/);
  });

  test('names files by their content, which may be kept for good', async () => {
    const { text } = await sent('/console/');
    const paths = named(text);
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) {
      const { answer } = await sent(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('sends a file in the shortest form that the browser takes', async () => {
    const [path = ''] = named((await sent('/console/')).text).filter((name) =>
      name.endsWith('.js'),
    );
    const plain = await sent(path);
    for (const encoding of ['br', 'gzip']) {
      const { answer, length, text } = await sent(path, encoding);
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('vary')).toContain('Accept-Encoding');
      expect(length).toBeLessThan(plain.length / 2);
      expect(text).toBe(plain.text);
    }
    expect(plain.answer.headers.get('content-encoding')).toBeNull();
    const head = await sent(path, 'identity', 'HEAD');
    expect([head.length, head.text]).toEqual([plain.length, '']);
  });

  test('knows no other file and no other method', async () => {
    for (const path of [
      '/console/assets/none.js',
      '/console/assets/',
      '/console/assets/..%2f.stamp',
    ]) {
      expect([path, (await sent(path)).answer.status]).toEqual([path, 404]);
    }
    for (const path of ['/console/.stamp', '/console/documents.json']) {
      expect((await sent(path)).text).toContain('<div id="root">');
    }
    const { answer } = await sent('/console/', 'identity', 'POST');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
