import { afterAll, beforeAll, expect, test } from 'vitest';
import { tasks as taskTable } from '../../../src/queue/tasks.ts';
import { newId } from '../../../src/values/ids.ts';
import { eventually, makePayee, makeTenant, payoutBody } from '../../support/factory.ts';
import { webhookBody } from '../../support/matrix/world.ts';
import { asOperator } from './operators.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld, type OpenOptions } from './world.ts';

let world: ConsoleWorld;
let operator: OpenOptions;
beforeAll(async () => {
  world = await startConsoleWorld();
  operator = await asOperator(world);
});
afterAll(() => world.close());

const sql = async (text: string, values: unknown[] = []) =>
  (await world.harness.database.pool.query<Record<string, string>>(text, values)).rows;

/** A job whose last attempt failed. */
async function deadJob(): Promise<string> {
  const place = { tenantId: world.tenant.tenantId, payoutId: newId('payout') };
  const [row] = await sql(
    `SELECT id FROM graphile_worker.add_job('disburse_payout', $1, max_attempts := 2)`,
    [place],
  );
  await sql(
    "UPDATE graphile_worker._private_jobs SET attempts = 2, last_error = 'the provider said no' WHERE id = $1",
    [row?.['id']],
  );
  return row?.['id'] ?? '';
}

/** A payout that was approved an hour ago, and that no worker has handed over since. */
async function standstill(): Promise<string> {
  const { key } = world.tenant;
  const body = payoutBody(await makePayee(world.harness, key));
  const made = await world.harness.rest('POST', '/v1/payouts', { key, body });
  const { id } = made.body.payout;
  await world.harness.rest('POST', `/v1/payouts/${id}/approve`, { key, body: {} });
  await sql("UPDATE payout SET updated_at = now() - interval '1 hour' WHERE id = $1", [id]);
  return id;
}

/** The latest line of the log. */
async function logged() {
  const [line] = await sql(
    'SELECT who, action, reason FROM ops.action_log ORDER BY id DESC LIMIT 1',
  );
  return line;
}

test('an operator accepts the profile that waits, with a reason that is recorded', async () => {
  const { businessId } = await makeTenant(world.harness);
  await sql(
    "UPDATE business SET profile_status = 'submitted', profile_submitted_at = now(), legal_name = 'Waits Ltd', company_name = 'Waits' WHERE id = $1",
    [businessId],
  );
  const { page, complaints, close } = await world.open(
    '/operator/businesses?profile=submitted',
    operator,
  );
  await page.getByRole('button', { name: 'Accept the profile of Waits' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Waits Ltd').waitFor();
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await dialog.getByText('Give a reason.').waitFor();
  await dialog.getByLabel('Reason').fill('looked at the register');
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('No matching businesses').waitFor();
  expect(await logged()).toMatchObject({
    who: expect.stringMatching(/^opu_/),
    action: 'operatorProfileAccept',
    reason: 'looked at the register',
  });
  expect(complaints).toEqual([]);
  await close();
});

test('an operator pauses a task and resumes it', async () => {
  const { page, complaints, close } = await world.open('/operator/queue', operator);
  // A task without a job is folded away; one that is paused is not.
  await page.locator('summary', { hasText: /^\d+ idle tasks$/ }).click();
  await page.getByRole('button', { name: 'Pause write_export' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('disk is full');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/^Paused by opu_.*: disk is full$/).waitFor();
  expect(await logged()).toMatchObject({ action: 'pause_task', reason: 'disk is full' });
  await page.getByRole('table', { name: 'Tasks', exact: true }).getByText('write_export').waitFor();
  // The focus goes with the task from one list to the other.
  const focused = () => page.evaluate<string>('document.activeElement.ariaLabel');
  await eventually(async () => (await focused()) === 'Resume write_export');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Reason').fill('disk is larger');
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause write_export' }).waitFor();
  await eventually(async () => (await focused()) === 'Pause write_export');
  expect(await sql('SELECT FROM paused_task')).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('an operator retries a dead job', async () => {
  const id = await deadJob();
  const { page, complaints, close } = await world.open('/operator/queue?state=dead', operator);
  await page.getByText('the provider said no').waitFor();
  await page.getByRole('button', { name: `Retry job ${id}` }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('it is mended');
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await page.getByText('No matching jobs').waitFor();
  expect(await logged()).toMatchObject({ action: 'retry_job', reason: 'it is mended' });
  expect(complaints).toEqual([]);
  await close();
});

test('the focus goes to the row behind one that left, then to the heading, and is not taken from a reader', async () => {
  const [first, second, third] = [await deadJob(), await deadJob(), await deadJob()];
  const { page, complaints, close } = await world.open('/operator/queue?state=dead', operator);
  const focused = () => page.evaluate<string>('document.activeElement.ariaLabel');
  const heading = () => page.evaluate<string>('document.activeElement.textContent');
  const retry = async (id: string) => {
    await page.getByRole('button', { name: `Retry job ${id}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Reason').fill('it is mended');
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: `Retry job ${id}` }).waitFor({ state: 'detached' });
  };
  const rows = page.getByRole('button', { name: /^Retry job/ });
  await rows.nth(2).waitFor();
  const [top = '', next = '', last = ''] = await rows.evaluateAll<string[], HTMLElement>((all) =>
    all.map(({ ariaLabel }) => ariaLabel?.slice('Retry job '.length) ?? ''),
  );
  expect([top, next, last].toSorted()).toEqual([first, second, third].toSorted());
  await retry(top);
  expect(await eventually(async () => (await focused()) === `Retry job ${next}`)).toBe(true);
  // The last row has none behind it.
  await retry(last);
  expect(await eventually(async () => (await focused()) === `Retry job ${next}`)).toBe(true);
  await page.evaluate('document.activeElement.blur()');
  await sql('UPDATE graphile_worker._private_jobs SET attempts = 1 WHERE id = $1', [next]);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await rows.waitFor({ state: 'detached' });
  await page.getByText('No matching jobs').waitFor();
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  const alone = await deadJob();
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await retry(alone);
  expect(await eventually(async () => (await heading()) === 'Jobs')).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test('the queue begins with its jobs, and shows the tasks that have one', async () => {
  await deadJob();
  const { page, complaints, close } = await world.open('/operator/queue', operator);
  const tasks = page.getByRole('region', { name: 'Tasks' });
  await tasks.getByRole('table', { name: 'Tasks' }).waitFor();
  await page.getByText('the provider said no').first().waitFor();
  expect(await page.locator('main h2').allTextContents()).toEqual(['Jobs', 'Tasks']);
  const shown = tasks.getByRole('button', { name: /^(?:Pause|Resume) / });
  const busy = await shown.count();
  expect(busy).toBeGreaterThan(0);
  const idle = Object.keys(taskTable).length - busy;
  await page.locator('summary', { hasText: `${idle} idle tasks` }).click();
  expect(await shown.count()).toBe(Object.keys(taskTable).length);
  expect(complaints).toEqual([]);
  await close();
});

test('an operator sends dead deliveries again', async () => {
  const { key } = world.tenant;
  await world.harness.rest('POST', '/v1/webhook-subscriptions', { key, body: webhookBody });
  await world.harness.rest('POST', '/v1/webhook-subscriptions/test', { key });
  await sql(
    "UPDATE webhook_delivery SET status = 'dead', completed_at = now(), next_attempt_at = NULL, attempts = 8",
  );
  const { page, complaints, close } = await world.open('/operator/dead-letters', operator);
  await page.getByRole('button', { name: /^Deliver again: wdl_/ }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('their endpoint is back');
  await page.getByRole('dialog').getByRole('button', { name: 'Deliver again' }).click();
  await page.getByText('Everything was delivered.').waitFor();
  expect(await logged()).toMatchObject({ action: 'replay_dead_letters' });
  expect(complaints).toEqual([]);
  await close();
});

test('what operators did about a payout that stands still is one click away', async () => {
  const id = await standstill();
  const other = await standstill();
  for (const each of [other, id]) {
    await sql('SELECT ops.take($1, $2)', [each, `asked about ${each}`]);
  }
  const { page, complaints, close } = await world.open('/operator/standstills', operator);
  const row = page.getByRole('row', { name: id });
  await row.getByRole('link', { name: 'Operator log' }).click();
  await page.getByRole('heading', { name: `Operator actions on ${id}` }).waitFor();
  await page.getByText(`asked about ${id}`).waitFor();
  expect(await page.getByText(`asked about ${other}`).count()).toBe(0);
  await page.getByRole('link', { name: 'Show the whole log' }).click();
  await page.getByText(`asked about ${other}`).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('what was entered about one payout is not there for the next', async () => {
  const [one, other] = [await standstill(), await standstill()];
  for (const id of [one, other]) {
    await sql(
      `INSERT INTO provider_contradiction (tenant_id, subject_id, payout_id, provider, kind, said, expected, source)
       SELECT tenant_id, id, id, 'simulator', 'amount', '1', '2', 'event' FROM payout WHERE id = $1`,
      [id],
    );
  }
  const { page, complaints, close } = await world.open('/operator/standstills', operator);
  const dialog = page.getByRole('dialog');
  const ask = (list: string, id: string, action: string) =>
    page
      .getByRole('table', { name: list, exact: true })
      .getByRole('row', { name: id })
      .getByRole('button', { name: action })
      .click();
  const evidence = dialog.getByLabel('Evidence');
  await ask('Stuck payouts', one, 'Resolve manually');
  await dialog.getByLabel('What happened to the money').selectOption('paid');
  await dialog.getByLabel('Provider’s payment id').fill('pp_1');
  await evidence.fill('their support');
  await page.keyboard.press('Escape');
  await ask('Stuck payouts', other, 'Resolve manually');
  expect(await dialog.getByLabel('What happened to the money').inputValue()).toBe('not_paid');
  expect(await evidence.inputValue()).toBe('');
  await page.keyboard.press('Escape');

  await ask('Provider discrepancies', one, 'Record findings');
  await dialog.getByLabel('Finding').selectOption('paid_otherwise');
  await evidence.fill('their list');
  await page.keyboard.press('Escape');
  await ask('Provider discrepancies', other, 'Record findings');
  expect(await dialog.getByLabel('Finding').inputValue()).toBe('as_recorded');
  expect(await evidence.inputValue()).toBe('');
  expect(complaints).toEqual([]);
  await close();
});

test('an answer that comes late leaves the dialog alone that is open by then', async () => {
  const [one, other] = [await deadJob(), await deadJob()];
  const { page, complaints, close } = await world.open('/operator/queue?state=dead', operator);
  const dialog = page.getByRole('dialog');
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('operatorJobRetry') === true) await isReleased;
    await route.continue();
  });
  await page.getByRole('button', { name: `Retry job ${one}` }).click();
  await dialog.getByLabel('Reason').fill('it is mended');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `Retry job ${other}` }).click();
  await dialog.getByLabel('Reason').fill('I write of the other');
  release();
  await page.getByRole('status').getByText('Done, and recorded').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: `Retry job ${one}` }).waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('I write of the other');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});

test('a member at a page of operators reads whose it is, and finds the ways on and back', async () => {
  const { page, complaints, close } = await world.open('/operator/queue?state=dead');
  await page.getByRole('heading', { name: 'These pages are for operators' }).waitFor();
  expect(await page.getByText('Your role does not allow this.').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Exceptions' }).count()).toBe(0);
  expect(await page.getByRole('table').count()).toBe(0);
  await page.getByRole('link', { name: 'Sign in as an operator' }).click();
  await page.getByText('You sign in as an operator of this platform.').waitFor();
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({
    as: 'operator',
    to: '/operator/queue?state=dead',
  });
  await page.goBack();
  await page.getByRole('link', { name: 'Back to the overview' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('what a member reads at a page of operators is accessible in every look', async () => {
  const faults = await lookAt(world, 'operators-only', '/operator/health', (page) =>
    page.getByRole('link', { name: 'Sign in as an operator' }).waitFor(),
  );
  expect(faults).toEqual([]);
});

test('every page of operators is accessible in light, in dark and on a phone', async () => {
  await deadJob();
  await standstill();
  await sql(
    `INSERT INTO worker_heartbeat (id, pool_id, hostname, pid, beat_at, circuits)
     VALUES ('wrk_1', 'pool_1', 'one', 1, now(), '{"simulator": "open"}')`,
  );
  const pages = [
    ['operator-businesses', '/operator/businesses', 'table'],
    ['operator-standstills', '/operator/standstills', 'table'],
    ['operator-queue', '/operator/queue', 'table'],
    ['operator-dead-letters', '/operator/dead-letters', '.card'],
    ['operator-health', '/operator/health', 'table'],
    ['operator-log', '/operator/log', 'table'],
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
