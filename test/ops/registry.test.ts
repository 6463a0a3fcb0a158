import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { subjectFields, subjectOf } from '../../jobs/history.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { reinstateBeneficiary, suspendBeneficiary } from '../../src/domain/beneficiary/suspend.ts';
import { disburseLater } from '../../src/domain/disbursement/job.ts';
import { enqueueDelivery } from '../../src/domain/event/record.ts';
import { createExport } from '../../src/domain/export/create.ts';
import { enqueueApply } from '../../src/domain/provider-event/inbox.ts';
import { enqueue } from '../../src/queue/queue.ts';
import { crontab, declarationOf, taskNames, type TaskName } from '../../src/queue/tasks.ts';
import type { Call } from '../../src/process/services.ts';
import { newId } from '../../src/values/ids.ts';
import { taskRows } from '../../tools/docs/task-rows.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import { newApproved, systemCall } from '../support/fake-provider.ts';
import { makeOperator, type Operator } from './support.ts';
import { useHarness } from '../support/use-harness.ts';

let operator: Operator;
let tenant: TestTenant;
let payee: TestPayee;
let call: Call;
const harness = useHarness({ worker: false, env: { ENROLL_WAIT_MS: '1' } });

beforeAll(async () => {
  operator = await makeOperator(harness.database, 'ops_operate');
  tenant = await makeTenant(harness);
  payee = await makePayee(harness, tenant.key);
  call = await systemCall(harness.services, tenant.tenantId);
});
afterAll(async () => {
  await operator.leave();
});
beforeEach(() => sql('DELETE FROM graphile_worker._private_jobs'));

async function sql<R extends object = Record<string, unknown>>(
  text: string,
  values: unknown[] = [],
) {
  return (await harness.database.pool.query(text, values)).rows as R[];
}

/** What a job is, but for its number and times; ids of operators' orders differ by nature. */
async function jobsOf(task: TaskName) {
  return sql(
    `SELECT t.identifier, j.payload::jsonb - '_cron' AS payload, j.key, j.priority, j.max_attempts, j.job_queue_id, j.flags
     FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = $1`,
    [task],
  );
}

describe('the tasks that operators see', () => {
  it('are those of the worker, without the rows of tasks that there were once', async () => {
    await sql(
      `INSERT INTO ops.task (name, description) VALUES ('gone', 'Is no task of the worker.')`,
    );
    await sql(taskRows());
    const rows = await sql<{ name: TaskName }>(
      'SELECT name, clock, priority, description, not_by_hand FROM ops.task ORDER BY name',
    );
    expect(rows.map(({ name }) => name)).toEqual(taskNames.toSorted());
    for (const { name, ...row } of rows) {
      const { clock = null, priority = 0, description, notByHand = null } = declarationOf(name);
      expect(row, name).toEqual({ clock, priority, description, not_by_hand: notByHand });
    }
  });

  it('have a subject that the history of jobs can name', () => {
    for (const name of taskNames) {
      const { subject } = declarationOf(name);
      if (subject === undefined || subject.kind === 'tenant') continue;
      const { payload } = declarationOf(name);
      const fields = Object.keys(payload.shape);
      expect(
        subjectFields.some((field) => fields.includes(field)),
        name,
      ).toBe(true);
    }
  });

  it('name the subject of a payload as the history of jobs does', async () => {
    const payloads: Record<string, string>[] = subjectFields.map((_, index) =>
      Object.fromEntries(subjectFields.slice(index).map((field) => [field, `the ${field}`])),
    );
    for (const payload of [...payloads, { tenantId: 't' }, {}]) {
      const [row] = await sql('SELECT ops.subject_of($1::json) AS subject', [
        JSON.stringify(payload),
      ]);
      expect(row).toEqual({ subject: subjectOf(payload).subjectId });
    }
  });
});

/** Has the service add a job, then the operator, and compares the two. */
async function expectSame(
  task: TaskName,
  subject: string | null,
  byService: () => Promise<unknown>,
) {
  await sql('DELETE FROM graphile_worker._private_jobs');
  await byService();
  const made = await jobsOf(task);
  expect(made, `the service adds ${task}`).toHaveLength(1);
  await sql('DELETE FROM graphile_worker._private_jobs');
  await operator.row('SELECT * FROM ops.schedule($1, $2, reason => $3)', [
    task,
    subject,
    'the same',
  ]);
  expect(await jobsOf(task)).toEqual(made);
}

describe('a job that an operator adds is the one that the service adds', () => {
  it('for a payout', async () => {
    const id = await newApproved(
      harness,
      tenant.key,
      payoutBody(payee, { validator_strategy: 'auto' }),
    );
    await expectSame('disburse_payout', id, () => disburseLater(call, id, 0));
  });

  it('for a delivery', async () => {
    const id = await newApproved(harness, tenant.key, payoutBody(payee));
    const [event, delivery] = [newId('event'), newId('webhookDelivery')];
    await sql(
      `INSERT INTO event (tenant_id, id, payout_id, type, data) VALUES ($1, $2, $3, 'payout.failed', '{}')`,
      [tenant.tenantId, event, id],
    );
    await sql(
      `INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, next_attempt_at)
       VALUES ($1, $2, $3, 'payout.failed', 'whs_x', now() + interval '4 hours')`,
      [tenant.tenantId, delivery, event],
    );
    await expectSame('deliver_webhook', delivery, () =>
      inTransaction(harness.services.pool, (client) =>
        enqueueDelivery(client, tenant.tenantId, delivery),
      ),
    );
    // A delivery is sent when its row says so, and not before.
    const [row] = await sql(
      'SELECT next_attempt_at <= now() AS due FROM webhook_delivery WHERE id = $1',
      [delivery],
    );
    expect(row).toEqual({ due: true });
  });

  it('for an enrollment', async () => {
    const other = await makePayee(harness, tenant.key);
    const enroll = () =>
      harness.rest('POST', `/v1/beneficiaries/${other.beneficiaryId}/enroll`, { key: tenant.key });
    expect((await enroll()).status).toBe(202);
    const [row] = await sql<{ id: string }>(`SELECT id FROM enrollment WHERE beneficiary_id = $1`, [
      other.beneficiaryId,
    ]);
    const made = await jobsOf('enroll_bank_account');
    expect(made).toHaveLength(1);
    await sql('DELETE FROM graphile_worker._private_jobs');
    await operator.row('SELECT * FROM ops.schedule($1, $2, reason => $3)', [
      'enroll_bank_account',
      row?.id,
      'the same',
    ]);
    expect(await jobsOf('enroll_bank_account')).toEqual(made);
  });

  it('for an event of a provider', async () => {
    await sql(
      `INSERT INTO provider_event (provider, event_id, event) VALUES ('simulator', 'sev_1', '{}'), ('acme', 'sev_1', '{}')`,
    );
    const event = { eventId: 'sev_1', reference: `${tenant.tenantId}.x` };
    const add = () =>
      inTransaction(harness.services.pool, (client) => enqueueApply(client, 'simulator', event));
    expect(
      await operator.refusal(`SELECT ops.schedule('apply_provider_event', 'sev_1', reason => 'x')`),
    ).toMatchObject({ hint: `Give the subject as '<provider> <event id>'.` });
    await expectSame('apply_provider_event', 'simulator sev_1', add);
    await sql(`DELETE FROM provider_event WHERE provider = 'acme'`);
    await expectSame('apply_provider_event', 'sev_1', add);
  });

  it('for an export', async () => {
    const { id } = await createExport(call, { kind: 'transactions' });
    const made = await jobsOf('write_export');
    expect(made).toHaveLength(1);
    await sql('DELETE FROM graphile_worker._private_jobs');
    await operator.row('SELECT * FROM ops.schedule($1, $2, reason => $3)', [
      'write_export',
      id,
      'the same',
    ]);
    expect(await jobsOf('write_export')).toEqual(made);
  });

  it('for a beneficiary', async () => {
    const { beneficiaryId } = await makePayee(harness, tenant.key);
    await expectSame('release_payouts', beneficiaryId, async () => {
      for (const change of [suspendBeneficiary, reinstateBeneficiary]) {
        await inTransaction(harness.services.pool, (client) =>
          change(client, call.scope, beneficiaryId, 'by the test'),
        );
      }
    });
  });

  it('for a sandbox wallet', async () => {
    await expectSame('fund_sandbox_wallet', tenant.tenantId, () =>
      harness.rest('PUT', '/v1/business/profile', {
        key: tenant.key,
        body: {
          legal_name: 'Analytical Engines Ltd',
          registration_number: '12-3456789',
          country: 'GB',
          address: {
            line1: '1 Market Street',
            city: 'London',
            postal_code: 'EC1A 1BB',
            country: 'GB',
          },
          website: 'https://www.example.com',
          industry: 'software',
          contact_phone: '+442071234567',
        },
      }),
    );
  });

  it('for a registration', async () => {
    const answer = await harness.rest('POST', '/v1/registration', {
      body: { email: 'ada@analytical-engines.example', company_name: 'Analytical Engines' },
    });
    expect(answer.status).toBe(201);
    const made = await jobsOf('send_registration_mail');
    expect(made).toHaveLength(1);
    await sql('DELETE FROM graphile_worker._private_jobs');
    await operator.row(
      `SELECT * FROM ops.schedule('send_registration_mail', $1, reason => 'the same')`,
      [answer.body.user.id],
    );
    expect(await jobsOf('send_registration_mail')).toEqual(made);
  });

  it('for a scheduled task, with the payload that the task reads', async () => {
    for (const line of crontab.split('\n')) {
      const [name] = line.split(' ').slice(5) as TaskName[];
      if (name === undefined) throw new Error(line);
      const { payload } = declarationOf(name);
      await operator.row('SELECT * FROM ops.schedule($1, NULL, reason => $2)', [name, 'now']);
      const [job] = await jobsOf(name);
      expect(payload.parse(job?.['payload'])).toEqual(payload.parse({}));
      expect(`${line} `).toContain(`?jobKey=${String(job?.['key'])} `);
    }
  });

  it('for the mail of a collection request', async () => {
    const invite = {
      email: 'payee@example.com',
      beneficiary_type: 'person',
      first_name: 'Ada',
      last_name: 'Lovelace',
    };
    const answer = await harness.rest('POST', '/v1/beneficiaries/collection-invites', {
      key: tenant.key,
      body: { invites: [invite] },
    });
    const requestId: unknown = answer.body.results[0].collection_request.id;
    const made = await jobsOf('send_collection_mail');
    expect(made).toHaveLength(1);
    await sql('DELETE FROM graphile_worker._private_jobs');
    await operator.row(`SELECT * FROM ops.resend_mail($1, 'the same')`, [requestId]);
    expect(await jobsOf('send_collection_mail')).toEqual(made);
  });

  it('in its number of attempts', async () => {
    await inTransaction(harness.services.pool, (client) =>
      enqueue(client, 'reconcile_payouts', {}),
    );
    const [made] = await jobsOf('reconcile_payouts');
    await sql('DELETE FROM graphile_worker._private_jobs');
    await operator.row(`SELECT * FROM ops.schedule('reconcile_payouts', NULL, reason => 'now')`);
    expect(await jobsOf('reconcile_payouts')).toEqual([{ ...made, key: 'reconcile_payouts' }]);
  });
});

/** An upgrade of graphile-worker that changes one of these needs a new version of the ops functions. */
it('graphile-worker has the tables and functions that the ops functions name', async () => {
  const columns = await sql<{ column: string }>(
    `SELECT table_name || '.' || column_name || ' ' || data_type AS column FROM information_schema.columns
     WHERE table_schema = 'graphile_worker' AND table_name IN ('_private_jobs', '_private_tasks', '_private_known_crontabs')`,
  );
  expect(columns.map(({ column }) => column)).toEqual(
    expect.arrayContaining([
      '_private_jobs.id bigint',
      '_private_jobs.task_id integer',
      '_private_jobs.payload json',
      '_private_jobs.priority smallint',
      '_private_jobs.run_at timestamp with time zone',
      '_private_jobs.attempts smallint',
      '_private_jobs.max_attempts smallint',
      '_private_jobs.last_error text',
      '_private_jobs.created_at timestamp with time zone',
      '_private_jobs.key text',
      '_private_jobs.locked_at timestamp with time zone',
      '_private_jobs.locked_by text',
      '_private_jobs.is_available boolean',
      '_private_tasks.id integer',
      '_private_tasks.identifier text',
      '_private_known_crontabs.identifier text',
      '_private_known_crontabs.known_since timestamp with time zone',
      '_private_known_crontabs.last_execution timestamp with time zone',
    ]),
  );
  for (const signature of [
    'graphile_worker.add_job(text, json, text, timestamptz, integer, text, integer, text[], text)',
    'graphile_worker.reschedule_jobs(bigint[], timestamptz, integer, integer, integer)',
    'graphile_worker.complete_jobs(bigint[])',
    'graphile_worker.force_unlock_workers(text[])',
  ]) {
    expect(
      await sql('SELECT to_regprocedure($1) IS NOT NULL AS there', [signature]),
      signature,
    ).toEqual([{ there: true }]);
  }
  const names = await sql<{ names: string[] }>(
    `SELECT proargnames AS names FROM pg_proc WHERE pronamespace = 'graphile_worker'::regnamespace
     AND proname IN ('add_job', 'reschedule_jobs') ORDER BY proname`,
  );
  expect(names[0]?.names).toEqual(
    expect.arrayContaining(['run_at', 'max_attempts', 'priority', 'job_key']),
  );
  expect(names[1]?.names).toEqual(expect.arrayContaining(['run_at', 'attempts']));
});

it('no view or table of ops depends on graphile-worker', async () => {
  const dependents = await sql(
    `SELECT DISTINCT v.relname FROM pg_depend d
     JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class v ON v.oid = r.ev_class
     JOIN pg_class t ON t.oid = d.refobjid
     WHERE v.relnamespace = 'ops'::regnamespace AND t.relnamespace = 'graphile_worker'::regnamespace`,
  );
  expect(dependents).toEqual([]);
});
