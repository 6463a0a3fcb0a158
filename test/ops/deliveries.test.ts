import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDueExports } from '../../src/domain/export/schedule.ts';
import { newId } from '../../src/values/ids.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import { newApproved } from '../support/fake-provider.ts';
import { makeOperator, type Operator } from './support.ts';
import { useHarness } from '../support/use-harness.ts';

let operator: Operator;
let tenant: TestTenant;
let payee: TestPayee;
const harness = useHarness({ worker: false });

beforeAll(async () => {
  operator = await makeOperator(harness.database, 'ops_operate');
});
afterAll(async () => {
  await operator.leave();
});
beforeEach(async () => {
  tenant = await makeTenant(harness);
  payee = await makePayee(harness, tenant.key);
});

async function sql<R extends object = Record<string, unknown>>(
  text: string,
  values: unknown[] = [],
) {
  return (await harness.database.pool.query(text, values)).rows as R[];
}

/** A delivery of a new payout's event, with one attempt that the receiver answered so. */
async function makeDelivery(
  status: 'pending' | 'delivered' | 'dead',
  answer: { code?: number; error?: string },
) {
  const payoutId = await newApproved(harness, tenant.key, payoutBody(payee));
  const [eventId, id] = [newId('event'), newId('webhookDelivery')];
  await sql(
    `INSERT INTO event (tenant_id, id, payout_id, type, data) VALUES ($1, $2, $3, 'payout.failed', '{}')`,
    [tenant.tenantId, eventId, payoutId],
  );
  await sql(
    `INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, status, attempts, next_attempt_at, completed_at)
     VALUES ($1, $2, $3, 'payout.failed', 'whs_x', $4, 1, CASE $4 WHEN 'pending' THEN now() END, CASE $4 WHEN 'pending' THEN NULL ELSE now() END)`,
    [tenant.tenantId, id, eventId, status],
  );
  await sql(
    `INSERT INTO webhook_delivery_attempt (tenant_id, delivery_id, number, started_at, latency_ms, status_code, answer, error)
     VALUES ($1, $2, 1, now(), 12, $3, 'what the receiver wrote', $4)`,
    [tenant.tenantId, id, answer.code ?? null, answer.error ?? null],
  );
  return { payoutId, eventId, id };
}

describe('the deliveries', () => {
  it('is answered by the id of the payout, the event or the delivery', async () => {
    const { payoutId, eventId, id } = await makeDelivery('delivered', { code: 204 });
    await makeDelivery('dead', { code: 500 });
    for (const any of [payoutId, eventId, id]) {
      expect(await operator.row('SELECT * FROM ops.deliveries_of($1)', [any])).toMatchObject({
        tenant_id: tenant.tenantId,
        payout_id: payoutId,
        event_id: eventId,
        delivery_id: id,
        event_type: 'payout.failed',
        status: 'delivered',
        attempts: 1,
        last_status_code: 204,
        last_latency_ms: 12,
      });
    }
    expect(
      await operator.refusal('SELECT * FROM ops.deliveries_of($1)', [tenant.tenantId]),
    ).toMatchObject({
      code: 'P0002',
      hint: 'Give an id that begins with pay_, evt_ or wdl_.',
    });
    expect(
      await operator.sql('SELECT * FROM ops.deliveries WHERE tenant_id = $1', [tenant.tenantId]),
    ).toHaveLength(2);
  });
});

/** A collection request whose mail ended so. */
async function makeRequest(
  mailStatus: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const id = randomUUID();
  const { status = 'live', expires = '7 days' } = more;
  const other = await makePayee(harness, tenant.key);
  await sql(
    `INSERT INTO collection_request (tenant_id, id, beneficiary_id, scope, status, expires_at, mail_status, mail_attempts, mail_error, created_by, closed_at)
     VALUES ($1, $2, $3, 'full_onboarding', $4, now() + $5::interval, $6, 20, '550 no mailbox eve@example.com', '{}', CASE $4 WHEN 'live' THEN NULL ELSE now() END)`,
    [tenant.tenantId, id, other.beneficiaryId, status, expires, mailStatus],
  );
  return id;
}

it('ops.dead_letters has deliveries, mails and jobs whose last attempt failed', async () => {
  const dead = await makeDelivery('dead', { code: 500 });
  const refused = await makeDelivery('dead', { error: 'connect: refused' });
  await makeDelivery('pending', { code: 500 });
  const request = await makeRequest('dead');
  await makeRequest('sent');
  const [job] = await sql<{ id: string }>(
    `SELECT id FROM graphile_worker.add_job('deliver_webhook', $1, max_attempts := 1)`,
    [{ tenantId: tenant.tenantId, deliveryId: dead.id }],
  );
  await sql(`UPDATE graphile_worker._private_jobs SET attempts = 1 WHERE id = $1`, [job?.id]);
  const letters = await operator.sql(
    'SELECT kind, subject_id, what, error, job_id FROM ops.dead_letters WHERE tenant_id = $1 ORDER BY kind, subject_id',
    [tenant.tenantId],
  );
  expect(letters).toEqual([
    {
      kind: 'delivery',
      subject_id: dead.id,
      what: 'payout.failed',
      error: 'status 500',
      job_id: null,
    },
    {
      kind: 'delivery',
      subject_id: refused.id,
      what: 'payout.failed',
      error: 'connect: refused',
      job_id: null,
    },
    {
      kind: 'job',
      subject_id: dead.id,
      what: 'deliver_webhook',
      error: 'its worker died in the last attempt',
      job_id: Number(job?.id),
    },
    {
      kind: 'mail',
      subject_id: request,
      what: expect.stringContaining('collection link of ben_'),
      error: '550 no mailbox ****',
      job_id: null,
    },
  ]);
});

describe('ops.resend_mail', () => {
  it('adds the job again and resets the failures', async () => {
    const id = await makeRequest('dead');
    const sent = await operator.row('SELECT * FROM ops.resend_mail($1, $2)', [
      id,
      'their mailbox exists now',
    ]);
    expect(sent).toMatchObject({ tenant_id: tenant.tenantId, request_id: id });
    expect(
      await sql(
        'SELECT mail_status, mail_attempts, mail_error FROM collection_request WHERE id = $1',
        [id],
      ),
    ).toEqual([{ mail_status: 'pending', mail_attempts: 0, mail_error: null }]);
    expect(
      await sql(
        `SELECT j.payload, j.key, j.max_attempts FROM graphile_worker._private_jobs j WHERE id = $1`,
        [sent['job_id']],
      ),
    ).toEqual([
      { payload: { tenantId: tenant.tenantId, requestId: id }, key: null, max_attempts: 20 },
    ]);
    expect(
      await operator.row(
        'SELECT action, affected, detail FROM ops.action_log WHERE subject_id = $1',
        [id],
      ),
    ).toEqual({
      action: 'resend_mail',
      affected: 1,
      detail: { job: sent['job_id'], mail_status: 'dead' },
    });
  });

  it('refuses a link that has expired', async () => {
    const again = (id: string) => operator.refusal(`SELECT ops.resend_mail($1, 'x')`, [id]);
    expect((await again(await makeRequest('dead', { status: 'canceled' }))).message).toContain(
      'is canceled',
    );
    expect((await again(await makeRequest('dead', { expires: '-1 minute' }))).message).toContain(
      'is expired',
    );
    expect(await again(randomUUID())).toMatchObject({ code: 'P0002' });
  });
});

describe('exports by schedule', () => {
  const schedule = `SELECT * FROM ops.schedule_export($1, $2, $3, $4, now(), 'month end')`;

  it('run, are shown, and end', async () => {
    const filter = {
      state: ['settled'],
      created_since: '2026-11-01T00:00:00Z',
      beneficiary_id: payee.beneficiaryId,
    };
    const made = await operator.row<{ schedule_id: string }>(schedule, [
      tenant.tenantId,
      'transactions',
      filter,
      '1 month',
    ]);
    expect(await startDueExports(harness.services)).toBe(1);
    const [shown] = await operator.sql(
      'SELECT * FROM ops.export_schedules WHERE schedule_id = $1',
      [made.schedule_id],
    );
    expect(shown).toMatchObject({
      tenant_id: tenant.tenantId,
      kind: 'transactions',
      filter,
      created_by: operator.name,
      ended_at: null,
      last_status: 'pending',
    });
    expect(
      await operator.sql('SELECT export_id, status FROM ops.exports WHERE schedule_id = $1', [
        made.schedule_id,
      ]),
    ).toEqual([{ export_id: shown?.['last_export_id'], status: 'pending' }]);
    await operator.row(`SELECT * FROM ops.end_export_schedule($1, 'no longer needed')`, [
      made.schedule_id,
    ]);
    expect(
      await operator.refusal(`SELECT ops.end_export_schedule($1, 'x')`, [made.schedule_id]),
    ).toMatchObject({
      message: expect.stringContaining('has ended already'),
    });
    expect(
      await operator.sql('SELECT action FROM ops.action_log WHERE subject_id = $1 ORDER BY id', [
        made.schedule_id,
      ]),
    ).toEqual([{ action: 'schedule_export' }, { action: 'end_export_schedule' }]);
    expect(
      await operator.refusal(`SELECT ops.end_export_schedule($1, 'x')`, [randomUUID()]),
    ).toMatchObject({ code: 'P0002' });
  });

  it.each(['59 minutes', '11 years', '300000 years', '1 month -29 days -23 hours', '-1 day'])(
    'refuse to repeat every %s',
    async (every) => {
      const given = [tenant.tenantId, 'transactions', {}, every];
      expect(await operator.refusal(schedule, given)).toMatchObject({
        message: 'An export repeats after one hour at least and ten years at most.',
      });
    },
  );

  it('refuse a kind, a filter or a time that does not fit', async () => {
    const refused = (
      kind: string | null,
      filter: object,
      every = '1 day',
      tenantId = tenant.tenantId,
    ) => operator.refusal(schedule, [tenantId, kind, filter, every]);
    expect(await refused('payouts', {})).toMatchObject({
      hint: 'Kinds: transactions, beneficiaries, ledger_entries, screenings, watchlist_days.',
    });
    expect((await refused('transactions', { status: 'x' })).message).toContain('it has no status');
    expect((await refused('transactions', { state: ['paid'] })).message).toContain(
      'there is no state paid',
    );
    expect((await refused('transactions', { state: 'settled' })).message).toContain(
      'a list of states',
    );
    expect((await refused('transactions', { created_since: '2026-11-01' })).message).toContain(
      'created_since must be',
    );
    expect((await refused('transactions', { created_before: 7 })).message).toContain(
      'created_before must be',
    );
    expect(
      (await refused('transactions', { beneficiary_id: newId('beneficiary') })).message,
    ).toContain('no such beneficiary');
    expect((await refused('beneficiaries', { state: ['settled'] })).message).toContain(
      'takes no filter',
    );
    expect((await refused('transactions', {}, '10 minutes')).message).toContain(
      'one hour at least and ten years at most',
    );
    expect(await refused('transactions', {}, '1 day', newId('tenant'))).toMatchObject({
      code: 'P0002',
    });
    expect(
      await operator.sql('SELECT FROM ops.export_schedules WHERE tenant_id = $1', [
        tenant.tenantId,
      ]),
    ).toEqual([]);
  });
});
