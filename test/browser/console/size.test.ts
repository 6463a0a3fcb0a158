import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

/** Bytes that the first load of any page may cost over the wire, compressed: what it needs, and the face that follows. */
const limit = 200_000;
const faceLimit = 50_000;

test.each([
  ['/sign-in', null],
  ['/', undefined],
] as const)(
  'the first load of %s takes less than 200 kB, and its face less than 50 kB',
  async (path, as) => {
    const { page, close } = await world.open('/assets/none.js', as === null ? { as } : {});
    const sizes: Promise<number>[] = [];
    const faces: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      const size = request.sizes().then(({ responseBodySize }) => responseBodySize);
      if (!request.url().includes('/console/')) return;
      (request.resourceType() === 'font' ? faces : sizes).push(size);
    });
    await page.goto(`/console${path}`, { waitUntil: 'networkidle' });
    const sumOf = async (given: readonly Promise<number>[]) =>
      (await Promise.all(given)).reduce((sum, size) => sum + size, 0);
    const bytes = await sumOf(sizes);
    expect(faces).toHaveLength(1);
    expect(await sumOf(faces)).toBeLessThan(faceLimit);
    expect(sizes.length).toBeGreaterThan(4);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(limit);
    await close();
  },
);
