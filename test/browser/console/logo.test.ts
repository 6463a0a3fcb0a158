import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, makeTenant } from '../../support/factory.ts';
import { jpegOf, pngOf } from '../../support/images.ts';
import { startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

test('a logo is chosen, looked at, used, replaced and removed', async () => {
  const { key, tenantId } = await makeTenant(world.harness);
  const { page, complaints, close } = await world.open('/settings', { as: key });
  const logo = page.getByRole('region', { name: 'Logo' });
  await logo.getByText('No logo yet.').waitFor();
  const stored = async () =>
    (
      await world.harness.database.pool.query<{ type: string }>(
        'SELECT logo_type AS type FROM collection_branding WHERE tenant_id = $1 AND logo_type IS NOT NULL',
        [tenantId],
      )
    ).rows.map(({ type }) => type);
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    logo.getByLabel('New logo').setInputFiles({ name, mimeType, buffer });
  const use = logo.getByRole('button', { name: 'Use this logo' });
  const current = logo.getByRole('img', { name: 'Logo on the pages for payees' });

  await choose('mark.png', 'image/png', pngOf(90, 30));
  const preview = logo.getByRole('img', { name: 'Preview of mark.png' });
  await eventually(async () => (await preview.getAttribute('width')) === '90');
  expect(await stored()).toEqual([]);
  await use.click();
  await logo.getByText('90 × 30 pixels').waitFor();
  await eventually(async () => (await current.getAttribute('width')) === '90');
  expect(await stored()).toEqual(['image/png']);

  // What is wrong with a file is said beside it, and the logo stays as it is.
  await choose('large.png', 'image/png', Buffer.alloc(128 * 1_024 + 1));
  await logo.getByText('The file is larger than 128 KiB.').waitFor();
  expect(await use.count()).toBe(0);
  await choose(
    'drawn.svg',
    'image/svg+xml',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  );
  await logo.getByText('This browser cannot display the file.').waitFor();
  await use.click();
  await logo.getByText('The logo must be a PNG or a JPEG.').waitFor();
  expect(await stored()).toEqual(['image/png']);

  await choose('photo.jpg', 'image/jpeg', jpegOf(640, 480));
  await use.click();
  await logo.getByText('640 × 480 pixels').waitFor();
  expect(await stored()).toEqual(['image/jpeg']);
  await logo.getByRole('button', { name: 'Remove logo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove logo' }).click();
  await logo.getByText('No logo yet.').waitFor();
  expect(await stored()).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('a logo that cannot be read is named, and of two quick choices the later one counts', async () => {
  const { key } = await makeTenant(world.harness);
  const { page, complaints, close } = await world.open('/settings', { as: key });
  const logo = page.getByRole('region', { name: 'Logo' });
  await logo.getByText('No logo yet.').waitFor();
  // A file that was moved after its choice is refused by the browser, and one on a slow disk comes late.
  await page.evaluate(`
    const read = File.prototype.arrayBuffer;
    globalThis.late = [];
    File.prototype.arrayBuffer = async function () {
      if (this.name === 'moved.png') throw new DOMException('moved', 'NotFoundError');
      if (this.name === 'slow.png') await new Promise((go) => globalThis.late.push(go));
      return read.call(this);
    }`);
  const choose = (name: string) =>
    logo.getByLabel('New logo').setInputFiles({
      name,
      mimeType: 'image/png',
      buffer: pngOf(90, 30),
    });
  await choose('moved.png');
  await logo.getByText('The file could not be read.').waitFor();
  expect(await logo.getByRole('button', { name: 'Use this logo' }).count()).toBe(0);
  await choose('slow.png');
  await choose('quick.png');
  await logo.getByRole('img', { name: 'Preview of quick.png' }).waitFor();
  await page.evaluate('globalThis.late.forEach((go) => go())');
  await page.evaluate('new Promise((seen) => setTimeout(() => requestAnimationFrame(seen), 50))');
  expect(await logo.getByRole('img', { name: 'Preview of slow.png' }).count()).toBe(0);
  expect(await logo.getByRole('img', { name: 'Preview of quick.png' }).count()).toBe(1);
  expect(complaints).toEqual([]);
  await close();
});
