import { afterAll, beforeAll, expect, test } from 'vitest';
import { payoutBody } from '../../support/factory.ts';
import { startConsoleWorld, type ConsoleWorld, type OpenPage } from './world.ts';

let world: ConsoleWorld;
let payee: { readonly beneficiaryId: string; readonly bankAccountId: string };
let payout: string;

async function post(path: string, body: object) {
  const answer = await world.harness.rest('POST', path, { key: world.tenant.key, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** A payee types their name, and nothing in it says where a line may end. */
beforeAll(async () => {
  world = await startConsoleWorld();
  const { beneficiary } = await post('/v1/beneficiaries', {
    beneficiary_type: 'person',
    email: `${'m'.repeat(60)}@${'m'.repeat(60)}.example.com`,
    first_name: 'M'.repeat(250),
    last_name: 'W'.repeat(250),
    country_of_residence: 'US',
    date_of_birth: '1990-04-01',
    acknowledged: true,
  });
  const { bank_account: account } = await post(
    `/v1/beneficiaries/${beneficiary.id}/bank-accounts`,
    {
      account_holder_name: 'M'.repeat(250),
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '000123456789',
    },
  );
  payee = { beneficiaryId: beneficiary.id, bankAccountId: account.id };
  const body = payoutBody(payee, { external_ref: 'R'.repeat(128) });
  payout = (await post('/v1/payouts', body)).payout.id;
});
afterAll(() => world.close());

/** Whether some text is on the page, beside nothing that has to be scrolled sideways. */
async function isInSight({ page }: OpenPage, text: string, width: number): Promise<boolean> {
  const shown = page.getByText(text).filter({ visible: true }).first();
  await shown.waitFor();
  const box = await shown.boundingBox();
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
  return box !== null && box.x >= 0 && box.x + box.width <= width && wide <= width;
}

const windows = [
  { width: 1360, height: 860 },
  { width: 375, height: 740 },
] as const;

test.each([
  ['the approvals', () => '/approvals', '1,250.00'],
  ['the payouts', () => '/payouts', '1,250.00'],
  ['a payout', () => `/payouts/${payout}`, '1,250.00'],
  ['the payees', () => '/payees', 'Ready'],
  ['a payee', () => `/payees/${payee.beneficiaryId}`, '****6789'],
])('a very long name pushes nothing out of %s', async (_page, path, text) => {
  for (const viewport of windows) {
    const opened = await world.open(path(), { viewport });
    expect(await isInSight(opened, text, viewport.width), `${viewport.width} pixels`).toBe(true);
    expect(opened.complaints).toEqual([]);
    await opened.close();
  }
});

test('the whole menu is in sight, and the environment stays so where a page is long', async () => {
  const [viewport] = windows;
  const { page, close } = await world.open('/', { viewport });
  const signOut = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
  expect((signOut?.y ?? Infinity) + (signOut?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
  await page.evaluate(
    'document.querySelector("main").style.minHeight = "3000px"; scrollTo(0, 1000)',
  );
  const banner = await page.getByText('Sandbox', { exact: true }).first().boundingBox();
  expect(banner?.y ?? -1).toBeGreaterThanOrEqual(0);
  await close();
});
