import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld({ env: { GRAPHQL_ACCEPTED_DOCUMENTS: 'console' } });
});
afterAll(() => world.close());

test('a server that runs the documents of the console alone runs what the console sends', async () => {
  const { page, complaints, close } = await world.open('/');
  await page.getByRole('heading', { name: 'Available funds' }).waitFor();
  const other = await world.harness.graphql(world.tenant.key, '{ me { environment } }');
  expect(other.body.errors[0].extensions.code).toBe('bad_request');
  expect(complaints).toEqual([]);
  await close();
});
