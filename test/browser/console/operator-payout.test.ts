import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOperatorUser } from '../../../src/access/operator-user.ts';
import { newId } from '../../../src/values/ids.ts';
import { eventually, makePayee, payoutBody } from '../../support/factory.ts';
import { asOperator } from './operators.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld, type OpenOptions } from './world.ts';

let world: ConsoleWorld;
let operator: OpenOptions;
beforeAll(async () => {
  world = await startConsoleWorld({
    env: { RESOLUTION_CONFIRMATION: 'second_person', ENROLL_WAIT_MS: '1' },
  });
  operator = await asOperator(world);
});
afterAll(() => world.close());

const sql = async (text: string, values: unknown[] = []) =>
  (await world.harness.database.pool.query<Record<string, string>>(text, values)).rows;

/** A payout that was approved an hour ago, and that no worker has handed over since. */
async function approved(more: Record<string, unknown> = {}): Promise<string> {
  const { key } = world.tenant;
  const body = payoutBody(await makePayee(world.harness, key), more);
  const made = await world.harness.rest('POST', '/v1/payouts', { key, body });
  const { id } = made.body.payout;
  await world.harness.rest('POST', `/v1/payouts/${id}/approve`, { key, body: {} });
  await sql("UPDATE payout SET updated_at = now() - interval '1 hour' WHERE id = $1", [id]);
  return id;
}

/** One whose submission got no clear answer. */
async function unclear(more: Record<string, unknown> = {}): Promise<string> {
  const id = await approved(more);
  const attempt = newId('disbursementAttempt');
  await sql(
    `INSERT INTO disbursement_attempt (tenant_id, id, payout_id, number, provider, recipient_id, amount_minor, currency,
       bank_account_id, bank_account_version, status, key_expires_at, calls, needs_operator)
     SELECT tenant_id, $2, id, 1, 'simulator', 'r', amount_minor, currency, bank_account_id, bank_account_version, 'unknown',
       now() - interval '1 hour', 3, true FROM payout WHERE id = $1`,
    [id, attempt],
  );
  await sql(`UPDATE payout SET live_attempt_id = $2, provider = 'simulator' WHERE id = $1`, [
    id,
    attempt,
  ]);
  return id;
}

/** A contradiction of its provider, which nobody has examined. */
const contradict = (id: string) =>
  sql(
    `INSERT INTO provider_contradiction (tenant_id, subject_id, payout_id, provider, kind, said, expected, source)
     SELECT tenant_id, live_attempt_id, id, 'simulator', 'amount', '1', amount_minor::text, 'event' FROM payout WHERE id = $1`,
    [id],
  );

/** A resolution that somebody else ordered. */
async function ordered(id: string): Promise<void> {
  const other = await addOperatorUser(world.harness.database.pool, {
    name: `other ${id}`,
    email: `${id.slice(-10)}@platform.example`,
  });
  const [line] = await sql(
    `INSERT INTO ops.action_log (who, action, tenant_id, subject_id, reason, detail, affected)
     SELECT $2, 'resolve_payout', tenant_id, id, 'case 17', '{"outcome": "not_paid", "evidence": "their support"}', 1
     FROM payout WHERE id = $1 RETURNING id`,
    [id, other],
  );
  await sql('INSERT INTO ops.order_confirmation (action_id) VALUES ($1)', [line?.['id']]);
}

/** A job whose last attempt failed. */
const deadJob = (id: string) =>
  sql(
    `SELECT graphile_worker.add_job('disburse_payout', json_build_object('tenantId', $1::text, 'payoutId', $2::text),
       job_key => 'disburse ' || $2, max_attempts => 2)`,
    [world.tenant.tenantId, id],
  ).then(() =>
    sql(
      `UPDATE graphile_worker._private_jobs SET attempts = 2, last_error = 'the provider said no' WHERE key = 'disburse ' || $1`,
      [id],
    ),
  );

const latest = async (id: string) => {
  const [line] = await sql(
    'SELECT action, reason FROM ops.action_log WHERE subject_id = $1 ORDER BY id DESC LIMIT 1',
    [id],
  );
  return line;
};

test('an operator pastes a reference, learns why the payout stands still, and asks the provider', async () => {
  const id = await unclear({ external_ref: 'INV 17' });
  const { page, complaints, close } = await world.open('/operator/standstills', operator);
  await page.getByLabel('ID or reference').fill('  INV 17 ');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/operator/payouts/${id}`);
  const why = page.getByRole('region', { name: 'Progress' });
  await why.getByText('The outcome is unknown').waitFor();
  await why.getByText('Ask the provider here first.').waitFor();
  await why.getByRole('button', { name: 'Ask the provider' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('ticket 4711');
  await page.getByRole('dialog').getByRole('button', { name: 'Ask the provider' }).click();
  await page.getByRole('region', { name: 'Operator actions' }).getByText('ticket 4711').waitFor();
  expect(await latest(id)).toMatchObject({ action: 'look_up_payout', reason: 'ticket 4711' });
  expect(complaints).toEqual([]);
  await close();
});

test('with the keyboard alone an operator resolves it, and cannot confirm that themselves', async () => {
  const id = await unclear();
  const { page, complaints, close } = await world.open(`/operator/payouts/${id}`, operator);
  const button = page.getByRole('button', { name: 'Resolve manually' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Evidence').focus();
  await page.keyboard.type('their support');
  await page.keyboard.press('Tab');
  await page.keyboard.type('case 17');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Operator actions' }).getByText('case 17').waitFor();
  await button.waitFor({ state: 'detached' });
  // The worker finds that a second person has to confirm it.
  const action = await sql('SELECT id FROM ops.action_log WHERE subject_id = $1', [id]);
  await sql('INSERT INTO ops.order_confirmation (action_id) VALUES ($1)', [action[0]?.['id']]);
  const orders = page.getByRole('region', { name: 'Manual resolutions to confirm' });
  await orders.getByRole('button', { name: `Decline: ${id}` }).waitFor();
  const ofYours = orders.getByText('You requested it. Someone else has to confirm it.');
  await ofYours.waitFor();
  expect(await orders.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Exceptions', exact: true }).click();
  await page.getByRole('heading', { name: 'Exceptions' }).waitFor();
  await ofYours.waitFor();
  expect(await orders.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('an operator answers what is open about a payout, and retries its job', async () => {
  const id = await unclear();
  await contradict(id);
  await ordered(id);
  await deadJob(id);
  const { page, complaints, close } = await world.open(`/operator/payouts/${id}`, operator);
  const dialog = page.getByRole('dialog');
  const told = page.getByRole('region', { name: 'Provider discrepancies' });
  await told.getByText('0.01 USD, expected 1,250.00 USD').waitFor();
  await told.getByRole('link', { name: id }).getByText('1,250.00').waitFor();
  await page.getByRole('button', { name: `Record findings: ${id}, ` }).click();
  await dialog.getByLabel('Evidence').fill('their list');
  await dialog.getByLabel('Reason').fill('looked at it');
  await dialog.getByRole('button', { name: 'Record findings' }).click();
  await page.getByRole('region', { name: 'Provider discrepancies' }).waitFor({ state: 'detached' });
  const orders = page.getByRole('region', { name: 'Manual resolutions to confirm' });
  await orders.getByRole('button', { name: `Confirm: ${id}` }).click();
  await dialog.getByLabel('Reason').fill('I asked them too');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await orders.waitFor({ state: 'detached' });
  const jobs = page.getByRole('region', { name: 'Background jobs' });
  await jobs.getByText('the provider said no').waitFor();
  await jobs.getByRole('button', { name: /^Retry job/ }).click();
  await dialog.getByLabel('Reason').fill('it is mended');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await jobs.getByText('Failed for good').waitFor({ state: 'detached' });
  const done = await sql('SELECT action FROM ops.action_log WHERE subject_id = $1 ORDER BY id', [
    id,
  ]);
  expect(done.map(({ action }) => action)).toContain('retry_job');
  expect(complaints).toEqual([]);
  await close();
});

test('a payout without a job is handed over from its page', async () => {
  const id = await approved();
  await sql(`DELETE FROM job_outbox WHERE payload ->> 'payoutId' = $1`, [id]);
  const { page, complaints, close } = await world.open(`/operator/payouts/${id}`, operator);
  await page.getByText('It is approved and has no job').waitFor();
  await page.getByRole('button', { name: 'Schedule submission' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('it has no job');
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule submission' }).click();
  await eventually(async () => (await latest(id))?.['action'] === 'schedule');
  await page.getByText('It is approved and has no job').waitFor({ state: 'detached' });
  // The button is gone, and what had the focus with it.
  const focused = () => page.evaluate<string>('document.activeElement.tagName');
  expect(await eventually(async () => (await focused()) === 'H2')).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test('lists of operators lead to the page of the payout', async () => {
  const id = await unclear();
  await contradict(id);
  await deadJob(id);
  await sql('SELECT ops.take($1, $2)', [id, 'I look at it']);
  const lists = [
    ['/operator/standstills', 'Stuck payouts'],
    ['/operator/standstills', 'Provider discrepancies'],
    [`/operator/queue?subject=${id}`, 'Jobs'],
    ['/operator/log', 'Log'],
  ] as const;
  for (const [path, name] of lists) {
    const { page, complaints, close } = await world.open(path, operator);
    const table = page.getByRole('table', { name, exact: true });
    await table.getByRole('link', { name: id }).first().click();
    await page.getByRole('heading', { name: 'Payout', exact: true }).waitFor();
    await page.getByText('I look at it').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  }
});

test('an unknown id, and what nobody carries, say so and offer the search', async () => {
  const { page, complaints, close } = await world.open(`/operator/payouts/pay_1`, operator);
  await page.getByText('Payout not found').waitFor();
  await page.getByLabel('ID or reference').fill('no such thing');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('No results').waitFor();
  await page.getByLabel('ID or reference').fill('nor this');
  await page.keyboard.press('Enter');
  await page.waitForURL(/what=nor/);
  await page.getByText('No results').waitFor();
  // Who typed it goes on in the same field.
  const focused = () => page.evaluate<string>('document.activeElement.value');
  expect(await eventually(async () => (await focused()) === 'nor this')).toBe(true);
  const { beneficiaryId } = await makePayee(world.harness, world.tenant.key);
  await page.getByLabel('ID or reference').fill(beneficiaryId);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('cell', { name: 'beneficiary' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a reference that is a number is found by an address that somebody wrote by hand', async () => {
  for (const reference of ['4711', '12345678901234567890']) {
    const id = await approved({ external_ref: reference });
    const { page, close } = await world.open(`/operator/find?what=${reference}`, operator);
    await page.waitForURL(`**/operator/payouts/${id}`);
    await close();
  }
});

test('a page that could not be read says so, and is read again', async () => {
  const id = await approved();
  const { page, close } = await world.open('/operator/find', operator);
  await page.getByText('Paste what you have').waitFor();
  await page.route('**/graphql', (route) => route.abort());
  await page.getByLabel('ID or reference').fill(id);
  await page.getByRole('button', { name: 'Find' }).click();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute('**/graphql');
  await again.click();
  await page.waitForURL(`**/operator/payouts/${id}`);
  await page.getByRole('region', { name: 'Progress' }).waitFor();
  await close();
});

test('a member of a business sees nothing of it', async () => {
  const id = await approved();
  const { page, close } = await world.open(`/operator/payouts/${id}`);
  await page.getByText('These pages are for operators').waitFor();
  expect(await page.getByText(id).count()).toBe(0);
  await page.goto(`/console/Operator/payouts/${id}`);
  await page.getByText('These pages are for operators').waitFor();
  await close();
});

test('the page is accessible in light, in dark and on a phone', async () => {
  const id = await unclear();
  await contradict(id);
  await ordered(id);
  await deadJob(id);
  const still = await approved();
  await sql('UPDATE payout SET updated_at = now() WHERE id = $1', [still]);
  const pages = [
    ['operator-payout', `/operator/payouts/${id}`, 'table'],
    ['operator-payout-approved', `/operator/payouts/${still}`, 'table'],
    ['operator-payout-missing', '/operator/payouts/pay_1', '.blank'],
    ['operator-find', '/operator/find', '.blank'],
    ['operator-find-none', '/operator/find?what=nothing', '.blank'],
  ] as const;
  const faults: string[] = [];
  for (const [name, path, ready] of pages) {
    const found = await lookAt(
      world,
      name,
      path,
      async (page) => {
        await page.locator(`main ${ready}`).first().waitFor();
        await page.locator('main .loading').first().waitFor({ state: 'detached' });
      },
      operator,
    );
    faults.push(...found);
  }
  expect(faults).toEqual([]);
});
