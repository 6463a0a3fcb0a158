import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let tenant: TestTenant;
let preparer: string;
let approver: string;
let payee: TestPayee;

beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

/** A business of its own for each test, with two people. */
beforeEach(async () => {
  tenant = await makeTenant(world.harness);
  preparer = await tenant.keyWithRole('preparer');
  approver = await tenant.keyWithRole('approver');
  payee = await makePayee(world.harness, preparer);
});

async function create(more: Record<string, unknown> = {}, key = preparer): Promise<string> {
  const body = payoutBody(payee, more);
  const answer = await world.harness.rest('POST', '/v1/payouts', { key, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.payout.id as string;
}

/** What became of payouts, by what the API says. */
const stateOf = async (id: string) =>
  (await world.harness.rest('GET', `/v1/payouts/${id}`, { key: tenant.key })).body.payout.state;

async function decisionOn(id: string) {
  const { rows } = await world.harness.database.pool.query(
    'SELECT d.status, d.reasons, d.submitted_by FROM payout_decision d WHERE d.payout_id = $1',
    [id],
  );
  return rows[0];
}

const rowOf = (page: Page, id: string) => page.locator(`[data-row="${id}"]`);

/** A list by its changes shows what is a moment old. */
async function openQueue(payouts: number, as = approver) {
  await eventually(async () => {
    const query = `{ payouts(filter: { state: [pending_approval] }, orderBy: { field: updated_at, direction: asc }) { totalCount } }`;
    const { body } = await world.harness.graphql(as, query);
    return body.data.payouts.totalCount === payouts;
  });
  const opened = await world.open('/approvals', { as });
  await opened.page.getByRole('heading', { name: 'Approvals' }).waitFor();
  return opened;
}

test('an approver approves by keyboard alone, and the next payout is shown', async () => {
  const [first, second] = [await create({ amount_minor: 5_000 }), await create()];
  const { page, complaints, close } = await openQueue(2);
  await rowOf(page, first).waitFor();
  // From the address bar: Tab until the focus is in the list.
  for (let at = 0; at < 60; at += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches('.row-open')`)) break;
  }
  await page.keyboard.press('j');
  expect(await rowOf(page, second).getByRole('button').getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.press('k');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Approve this payout?' });
  await dialog.waitFor();
  expect(await dialog.textContent()).toContain('50.00 USD');
  // Through the reason, which is optional, and the button that leaves the dialog.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('1 payout approved.').first().waitFor();
  await rowOf(page, first).waitFor({ state: 'detached' });
  expect(await stateOf(first)).toBe('approved');
  expect(await stateOf(second)).toBe('pending_approval');
  const focused = () => page.evaluate(`document.activeElement.closest('[data-row]')?.dataset.row`);
  expect(await eventually(async () => (await focused()) === second)).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test('many payouts are rejected with one reason, and each record holds it', async () => {
  const ids = [await create(), await create(), await create()];
  const { page, complaints, close } = await openQueue(3);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByText('3 payouts selected').waitFor();
  await page.getByRole('button', { name: /^Reject/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject 3 payouts?' });
  // Without a reason nothing is sent.
  await dialog.getByRole('button', { name: 'Reject 3' }).click();
  await dialog.getByText('Give a reason.').waitFor();
  await dialog.getByLabel('Reason').fill('The invoice is not ours.');
  await dialog.getByRole('button', { name: 'Reject 3' }).click();
  await page.getByText('3 payouts rejected.').first().waitFor();
  await page.getByText('No payouts to approve').first().waitFor();
  for (const id of ids) {
    expect(await stateOf(id)).toBe('rejected');
    const { status, reasons, submitted_by: by } = await decisionOn(id);
    expect(status).toBe('rejected');
    expect(reasons).toMatchObject([{ message: 'The invoice is not ours.' }]);
    // The session is recorded as the person that it is of.
    expect(by).toMatchObject({ type: 'member', role: 'approver' });
  }
  expect(complaints).toEqual([]);
  await close();
});

test('four eyes are explained to who made the payout, and enforced', async () => {
  await world.harness.database.pool.query(
    'UPDATE business SET distinct_approver = true WHERE id = $1',
    [tenant.businessId],
  );
  const mine = await create({ amount_minor: 700 }, tenant.key);
  const other = await create({ amount_minor: 900 });
  const { page, complaints, close } = await openQueue(2, tenant.key);
  await page.getByText('someone else has to approve it (four eyes)').waitFor();
  await page
    .getByText('Your business required a second approver when this payout was created')
    .waitFor();
  await rowOf(page, other).getByRole('button').click();
  await page.getByText('someone else created it, and you are the second').waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: /^Approve/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve this payout?' });
  await dialog.getByText('1 payout left out:').waitFor();
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('1 payout approved.').first().waitFor();
  expect(await stateOf(mine)).toBe('pending_approval');
  expect(await stateOf(other)).toBe('approved');
  expect(complaints).toEqual([]);
  await close();
});

test('an approver sees the account and since when it is so, what changed, similar payouts and who made it', async () => {
  await create({ external_ref: 'INV 7' });
  const id = await create({ external_ref: 'INV 7' });
  const { page, complaints, close } = await openQueue(2);
  await rowOf(page, id).getByRole('button').click();
  const details = page.getByRole('complementary', { name: 'Payout to Ada Lovelace' });
  await details.getByText('****6789').waitFor();
  await details.getByText('Account details since').waitFor();
  await details.getByText('Neither the payee nor their accounts have changed').waitFor();
  await details.getByText('1 payout to this payee in the last 30 days').waitFor();
  await details.getByText('same amount · same reference · same account').waitFor();
  await rowOf(page, id).getByText('same amount: 1').waitFor();

  const path = `/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts/${payee.bankAccountId}`;
  const changed = await world.harness.rest('PUT', path, {
    key: preparer,
    body: {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '000998877665',
    },
  });
  expect(changed.status, changed.text).toBe(200);
  await page.reload();
  await rowOf(page, id).getByRole('button').click();
  await rowOf(page, id).getByText('account changed').waitFor();
  await details.getByText('Account details changed (account number)').waitFor();
  await details.getByText('it can no longer be approved').waitFor();
  // The account that the payout was made with, not the one that somebody put in its place.
  await details.getByText('****6789').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

/** Makes the page ask anew, as its timer does. */
const refresh = (page: Page) =>
  page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

test('a payout that changed under the reader says so, and one that another person decided on', async () => {
  const [decided, changed] = [await create({ amount_minor: 4_200 }), await create()];
  const { page, complaints, close } = await openQueue(2);
  await rowOf(page, decided).waitFor();
  const approved = await world.harness.rest('POST', `/v1/payouts/${decided}/approve`, {
    key: tenant.key,
    body: {},
  });
  expect(approved.status, approved.text).toBe(200);
  const renamed = await world.harness.rest('PUT', `/v1/beneficiaries/${payee.beneficiaryId}`, {
    key: preparer,
    body: { last_name: 'Byron' },
  });
  expect(renamed.status, renamed.text).toBe(200);
  await refresh(page);
  await page.getByText('for 42.00 USD is no longer awaiting approval').first().waitFor();
  await rowOf(page, changed).getByText('changed', { exact: true }).waitFor();
  await page.getByText('Legal name changed').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

const focusedText = (page: Page) =>
  page.evaluate<string>('document.activeElement.textContent.trim()');

/** How far what has the focus reaches below the upper edge of the bar with the decision. */
const hidden = `document.activeElement.getBoundingClientRect().bottom
  - document.querySelector('.decision').getBoundingClientRect().top`;

test.each([
  ['a phone', { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true }],
  ['a wide window', { viewport: { width: 1360, height: 620 } }],
])(
  'on %s what is approved comes before the decision, and both are in sight',
  async (_on, options) => {
    for (let n = 1; n <= 8; n += 1) await create({ amount_minor: n * 1_000 });
    const { close: ready } = await openQueue(8);
    await ready();
    const { page, complaints, close } = await world.open('/approvals', {
      as: approver,
      ...options,
    });
    const bar = page.getByRole('region', { name: 'Decision' });
    await bar.getByText('10.00 USD').waitFor();
    expect(await bar.getByRole('button', { name: /^Approve/ }).boundingBox()).toMatchObject({
      y: expect.toSatisfy((y: number) => y < options.viewport.height - 24),
    });
    const other = page.getByRole('row', { name: /80\.00/ });
    await other.getByRole('button').click();
    await bar.getByText('80.00 USD').waitFor();
    await page.getByRole('complementary').getByText('80.00 USD').first().waitFor();

    // By the keyboard from the list through the facts to the decision, nothing of it behind the bar.
    await other.getByRole('button').focus();
    const seen: string[] = [];
    while (!seen.at(-1)?.startsWith('Approve') && seen.length < 40) {
      await page.keyboard.press('Tab');
      seen.push(await focusedText(page));
      const inBar = /^(?:Approve|Reject)/.test(seen.at(-1) ?? '');
      if (!inBar) expect(Number(await page.evaluate(hidden))).toBeLessThanOrEqual(0);
    }
    expect(seen[0]).toBe('Open the payout');
    expect(seen.slice(-2)).toEqual([
      expect.stringMatching(/^Reject/),
      expect.stringMatching(/^Approve/),
    ]);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('1 payout approved.').first().waitFor();
    expect(await page.getByText('1 payout approved.').first().boundingBox()).toMatchObject({
      y: expect.toSatisfy((y: number) => y >= 0),
    });
    expect(complaints).toEqual([]);
    await close();
  },
);

test('an approval that came too late is refused, and says why', async () => {
  const id = await create();
  const { page, complaints, close } = await openQueue(1);
  await rowOf(page, id).getByRole('button').click();
  await page.keyboard.press('a');
  await page.getByRole('dialog').waitFor();
  await world.harness.rest('POST', `/v1/payouts/${id}/reject`, {
    key: tenant.key,
    body: { reasons: [{ message: 'no' }] },
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('1 payout could not be processed:').first().waitFor();
  await page.getByText('A payout that is rejected cannot be approved.').first().waitFor();
  expect(await stateOf(id)).toBe('rejected');
  expect(complaints).toEqual([]);
  await close();
});

test('who may not decide sees the queue without its actions', async () => {
  await create();
  const { page, complaints, close } = await openQueue(1, await tenant.keyWithRole('viewer'));
  await page.getByText('You can view this list.').waitFor();
  await page.getByText('Your role cannot decide on payouts.').waitFor();
  expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('two businesses side by side see their own queue', async () => {
  const id = await create();
  const other = await makeTenant(world.harness);
  const { page, complaints, close } = await world.open('/approvals', { as: other.key });
  await page.getByText('No payouts to approve').first().waitFor();
  expect(await rowOf(page, id).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test(
  'the queue is accessible in every look',
  async () => {
    await create({ external_ref: 'INV 2026/117' });
    await create({ amount_minor: 98_765_400, currency: 'USD' });
    await create({ external_ref: 'INV 2026/118' });
    await create({ amount_minor: 100 }, tenant.key);
    const { close } = await openQueue(4);
    await close();
    const ready = (page: Page) => page.getByText('in the last 30 days').first().waitFor();
    const faults = [
      ...(await lookAt(world, 'approvals', '/approvals', ready, { as: approver })),
      ...(await lookAt(
        world,
        'approvals-reject',
        '/approvals',
        async (page) => {
          await ready(page);
          await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
          await page.getByRole('button', { name: /^Reject/ }).click();
          await page.getByRole('dialog').waitFor();
        },
        { as: approver },
      )),
    ];
    const none = await makeTenant(world.harness);
    faults.push(
      ...(await lookAt(
        world,
        'approvals-empty',
        '/approvals',
        (page) => page.getByRole('heading', { name: 'No payouts to approve' }).waitFor(),
        { as: none.key },
      )),
    );
    expect(faults).toEqual([]);
  },
  longTestMs,
);
