import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { roles } from '../../src/access/roles.ts';
import { taskNames } from '../../src/queue/tasks.ts';
import { newId } from '../../src/values/ids.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { webhookBody } from '../support/matrix/world.ts';
import { recordStatements } from '../support/plans.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
const tenant = useTenant(harness);
let operator: { id: string; key: string };
beforeAll(async () => {
  operator = await issueOperatorKey(harness.database.pool, 'Ada');
});
beforeEach(async () => {
  await sql('DELETE FROM graphile_worker._private_jobs');
  await sql('DELETE FROM paused_task');
  await sql('DELETE FROM worker_heartbeat');
});

async function sql<R extends object = Record<string, unknown>>(
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  return (await harness.database.pool.query(text, values)).rows as R[];
}

async function ask(query: string, variables: Record<string, unknown> = {}) {
  const { body } = await harness.graphql(operator.key, query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

async function refusal(query: string): Promise<{ code: string; message: string }> {
  const { body } = await harness.graphql(operator.key, query);
  const [error] = body.errors;
  return { code: error.extensions.code, message: error.message };
}

/** The nodes of a list, read a page of two at a time. */
async function pages(field: string, args: string, fields: string) {
  const found: Record<string, unknown>[] = [];
  for (let after: string | null = null, more = true; more;) {
    const data: Record<
      string,
      {
        edges: { node: Record<string, unknown> }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      }
    > = await ask(
      `query ($after: String) { ${field}(first: 2, after: $after${args}) {
        edges { node { ${fields} } } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    const page = data[field];
    if (page === undefined) throw new Error(`no ${field}`);
    found.push(...page.edges.map(({ node }) => node));
    more = page.pageInfo.hasNextPage;
    after = page.pageInfo.endCursor;
  }
  return found;
}

interface Kind {
  readonly task?: string;
  readonly attempts?: number;
  readonly of?: Pick<TestTenant, 'tenantId'> | null;
  readonly running?: boolean;
}

/** A job without a worker: its number, and the payout that it is about. */
async function makeJob({ task = 'disburse_payout', attempts = 0, of, running }: Kind = {}) {
  const payoutId = newId('payout');
  const place = of === null ? {} : { tenantId: (of ?? tenant).tenantId };
  const [row] = await sql<{ id: string }>(
    'SELECT id FROM graphile_worker.add_job($1, $2, max_attempts := 2)',
    [task, { ...place, payoutId }],
  );
  await sql(
    `UPDATE graphile_worker._private_jobs SET attempts = $2::integer, last_error = CASE WHEN $2::integer > 0 THEN E'boom\n  bang' END,
       locked_at = CASE WHEN $3 THEN now() END, locked_by = CASE WHEN $3 THEN 'pool' END
     WHERE id = $1`,
    [row?.id, attempts, running ?? false],
  );
  return { id: String(row?.id), payoutId };
}

describe('tasks', () => {
  const query = `{ operatorTasks { name description clock pausedAt pausedBy pauseReason ready oldestReadySeconds scheduled
    retrying running dead runsPerMinute failedLately p95Ms } }`;

  it('are listed with their jobs, and with who paused them', async () => {
    await makeJob();
    await makeJob({ attempts: 1 });
    await makeJob({ attempts: 2 });
    await ask('mutation { operatorTaskPause(task: "disburse_payout", reason: "asked") { note } }');
    const { operatorTasks: tasks } = await ask(query);
    expect(tasks.map(({ name }: { name: string }) => name)).toEqual([...taskNames].toSorted());
    const found = tasks.find(({ name }: { name: string }) => name === 'disburse_payout');
    expect(found).toMatchObject({
      clock: null,
      pausedAt: expect.any(String),
      pausedBy: operator.id,
      pauseReason: 'asked',
      ready: 1,
      retrying: 1,
      dead: 1,
      running: 0,
      oldestReadySeconds: expect.any(Number),
    });
  });

  it('are paused once and resumed once, and each is told what is so already', async () => {
    const pause =
      'mutation { operatorTaskPause(task: "write_export", reason: "r") { name pausedBy note actionId } }';
    const first = (await ask(pause)).operatorTaskPause;
    expect(first).toMatchObject({ name: 'write_export', pausedBy: operator.id });
    expect((await ask(pause)).operatorTaskPause.note).toContain('paused already');
    const resume =
      'mutation { operatorTaskResume(task: "write_export", reason: "r") { name pausedAt note } }';
    expect((await ask(resume)).operatorTaskResume).toMatchObject({
      name: 'write_export',
      pausedAt: null,
    });
    expect(await refusal(resume)).toMatchObject({ code: 'conflict' });
  });

  it('that are unknown are refused', async () => {
    const pause = 'mutation { operatorTaskPause(task: "no_such", reason: "r") { name } }';
    expect(await refusal(pause)).toEqual({
      code: 'not_found',
      message: "There is no task 'no_such'.",
    });
    const silent = 'mutation { operatorTaskPause(task: "write_export", reason: " ") { name } }';
    expect(await refusal(silent)).toMatchObject({ code: 'validation_failed' });
  });
});

describe('jobs', () => {
  const fields =
    'id task of { businessId companyName environment } subjectId state attempts maxAttempts runAt lastError createdAt takenBy';

  it('are listed newest first, by task, state, subject and business', async () => {
    const other = await makeTenant(harness);
    const first = await makeJob();
    const dead = await makeJob({ attempts: 2 });
    const clock = await makeJob({ task: 'delete_expired', of: null });
    const foreign = await makeJob({ of: other });
    const ids = async (args: string) => (await pages('operatorJobs', args, 'id')).map((j) => j.id);
    expect(await ids('')).toEqual([foreign.id, clock.id, dead.id, first.id]);
    expect(await ids(', task: "delete_expired"')).toEqual([clock.id]);
    expect(await ids(', state: dead')).toEqual([dead.id]);
    expect(await ids(', state: ready')).toEqual([foreign.id, clock.id, first.id]);
    expect(await ids(`, subjectId: "${first.payoutId}"`)).toEqual([first.id]);
    expect(await ids(`, businessId: "${other.businessId}"`)).toEqual([foreign.id]);
    const [shown] = await pages('operatorJobs', ', state: dead', fields);
    expect(shown).toMatchObject({
      of: { businessId: tenant.businessId, environment: 'sandbox' },
      subjectId: dead.payoutId,
      attempts: 2,
      maxAttempts: 2,
      lastError: 'boom bang',
    });
    const [ofNobody] = await pages('operatorJobs', ', task: "delete_expired"', 'of { businessId }');
    expect(ofNobody).toEqual({ of: null });
  });

  it('that are dead run again, and one that runs or has ended is left alone', async () => {
    const retry = (id: string) =>
      `mutation { operatorJobRetry(id: "${id}", reason: "fixed") { id task subjectId runsAt note } }`;
    const dead = await makeJob({ attempts: 2 });
    expect((await ask(retry(dead.id))).operatorJobRetry).toMatchObject({
      id: dead.id,
      task: 'disburse_payout',
      subjectId: dead.payoutId,
    });
    expect(
      await sql('SELECT attempts, run_at <= now() AS due FROM graphile_worker._private_jobs'),
    ).toEqual([{ attempts: 0, due: true }]);
    const busy = await makeJob({ attempts: 1, running: true });
    expect(await refusal(retry(busy.id))).toMatchObject({ code: 'conflict' });
    expect(await refusal(retry('99999999'))).toMatchObject({ code: 'not_found' });
    expect(await refusal(retry('x'))).toMatchObject({ code: 'validation_failed' });
  });

  it('that are missing are added, and what cannot be is refused', async () => {
    const add = (task: string, subject: string | null) =>
      `mutation { operatorJobSchedule(task: "${task}", ${subject === null ? '' : `subjectId: "${subject}", `}reason: "r") { id task } }`;
    const { operatorJobSchedule: made } = await ask(add('delete_expired', null));
    expect(made).toEqual({ id: expect.any(String), task: 'delete_expired' });
    expect(await refusal(add('disburse_payout', newId('payout')))).toMatchObject({
      code: 'not_found',
    });
    expect(await refusal(add('resolve_payout', newId('payout')))).toMatchObject({
      code: 'validation_failed',
    });
  });
});

describe('dead letters', () => {
  const replay = (more: string) =>
    `mutation { operatorDeliveriesReplay(businessId: "${tenant.businessId}", environment: sandbox,
      createdSince: "2026-01-01T00:00:00Z", createdBefore: "9999-01-01T00:00:00Z", reason: "mended"${more}) {
        count remaining dryRun startsAt endsAt note actionId } }`;

  it('are deliveries, which a window sends again', async () => {
    expect(await refusal(replay(''))).toMatchObject({ code: 'conflict' });
    const { key } = tenant;
    await harness.rest('POST', '/v1/webhook-subscriptions', { key, body: webhookBody });
    for (let n = 0; n < 3; n += 1) {
      await harness.rest('POST', '/v1/webhook-subscriptions/test', { key });
    }
    await sql(
      `UPDATE webhook_delivery SET status = 'dead', completed_at = now(), next_attempt_at = NULL`,
    );
    const letters = await pages(
      'operatorDeadLetters',
      ', kind: delivery',
      'kind subjectId what since error businessId environment takenBy',
    );
    expect(letters).toHaveLength(3);
    expect(new Set(letters.map(({ subjectId }) => subjectId)).size).toBe(3);
    expect(letters[0]).toMatchObject({
      kind: 'delivery',
      what: 'webhook.test',
      businessId: tenant.businessId,
      environment: 'sandbox',
    });
    const logged = () => sql(`SELECT FROM ops.action_log WHERE action = 'replay_dead_letters'`);
    expect((await ask(replay(', dryRun: true'))).operatorDeliveriesReplay).toMatchObject({
      count: 3,
      dryRun: true,
      actionId: null,
    });
    expect(await logged()).toHaveLength(0);
    expect((await ask(replay(', limit: 2'))).operatorDeliveriesReplay).toMatchObject({
      count: 2,
      remaining: 1,
      dryRun: false,
      actionId: expect.any(String),
    });
    expect(await logged()).toHaveLength(1);
    expect(await pages('operatorDeadLetters', ', kind: delivery', 'subjectId')).toHaveLength(1);
    expect(await refusal(replay(', eventType: "no.such"'))).toMatchObject({
      code: 'validation_failed',
    });
    expect(await refusal(replay(', limit: 0'))).toMatchObject({ code: 'validation_failed' });
  });

  it('are mails, which are sent again while their link works', async () => {
    const email = `${randomUUID()}@example.com`;
    const answer = await harness.rest('POST', '/v1/beneficiaries/collection-invites', {
      key: tenant.key,
      body: { invites: [{ email, beneficiary_type: 'business', business_name: 'Mail Ltd' }] },
    });
    const { id } = answer.body.results[0].collection_request;
    await sql(`UPDATE collection_request SET mail_status = 'dead', mail_error = $1`, [
      `no such user ${email}`,
    ]);
    const [letter] = await pages('operatorDeadLetters', ', kind: mail', 'subjectId what error');
    expect(letter).toMatchObject({ subjectId: id, error: 'no such user ****' });
    const resend = `mutation { operatorMailResend(requestId: "${id}", reason: "mended") { requestId } }`;
    expect((await ask(resend)).operatorMailResend).toEqual({ requestId: id });
    expect(await pages('operatorDeadLetters', ', kind: mail', 'subjectId')).toEqual([]);
    await sql(`UPDATE collection_request SET status = 'canceled', closed_at = now()`);
    expect(await refusal(resend)).toMatchObject({ code: 'conflict' });
    expect(await refusal(resend.replace(id, randomUUID()))).toMatchObject({ code: 'not_found' });
  });
});

describe('health', () => {
  it('tells which workers live, and what circuit each has for a provider', async () => {
    await sql(
      `INSERT INTO worker_heartbeat (id, pool_id, hostname, pid, beat_at, circuits) VALUES
         ('wrk_1', 'pool_1', 'one', 1, now(), '{"simulator": "open"}'),
         ('wrk_2', 'pool_2', 'two', 2, now() - interval '1 hour', '{}')`,
    );
    const { operatorWorkers, operatorProviders } = await ask(
      `{ operatorWorkers { id alive silentSeconds jobsHeld oldestHeldSince hostname startedAt }
         operatorProviders { provider environment attempts circuits { workerId state } } }`,
    );
    expect(operatorWorkers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'wrk_1', alive: true, jobsHeld: 0, hostname: 'one' }),
        expect.objectContaining({ id: 'wrk_2', alive: false }),
      ]),
    );
    expect(operatorProviders).toContainEqual(
      expect.objectContaining({
        provider: 'simulator',
        circuits: [{ workerId: 'wrk_1', state: 'open' }],
      }),
    );
  });

  it('tells whose endpoint fails, those first that have failed for longest', async () => {
    const others = [
      await makeTenant(harness),
      await makeTenant(harness),
      await makeTenant(harness),
    ];
    for (const [hours, { key, tenantId }] of others.entries()) {
      await harness.rest('POST', '/v1/webhook-subscriptions', { key, body: webhookBody });
      await sql(
        `INSERT INTO webhook_endpoint_failure (tenant_id, subscription_id, failing_since, failures, last_failed_at, last_status_code)
         SELECT tenant_id, id, now() - make_interval(hours => $2), 3, now(), 500
         FROM webhook_subscription WHERE tenant_id = $1`,
        [tenantId, hours + 1],
      );
    }
    const found = await pages(
      'operatorEndpoints',
      '',
      'subscriptionId businessId enabled failures lastStatusCode waiting what',
    );
    expect(found.map(({ businessId }) => businessId)).toEqual(
      others.map(({ businessId }) => businessId).toReversed(),
    );
    expect(found[0]).toMatchObject({ enabled: true, failures: 3, lastStatusCode: 500, waiting: 0 });
    expect(
      await pages(
        'operatorEndpoints',
        `, businessId: "${others[0]?.businessId ?? ''}"`,
        'businessId',
      ),
    ).toHaveLength(1);
  });
});

describe('the log', () => {
  it('tells who did what, when and why, newest first, and of one thing', async () => {
    const job = await makeJob({ attempts: 2 });
    await ask(`mutation { operatorJobRetry(id: "${job.id}", reason: "case 4") { id } }`);
    await ask('mutation { operatorTaskPause(task: "write_export", reason: "case 5") { name } }');
    const fields = `id at who person action of { businessId environment } subjectId reason detail affected outcome outcomeAt`;
    const [latest, before] = await pages('operatorActions', '', fields);
    expect(latest).toMatchObject({
      who: operator.id,
      person: 'ada',
      action: 'pause_task',
      of: null,
      subjectId: null,
      reason: 'case 5',
      detail: { task: 'write_export' },
    });
    expect(before).toMatchObject({
      action: 'retry_job',
      of: { businessId: tenant.businessId, environment: 'sandbox' },
      subjectId: job.payoutId,
      reason: 'case 4',
    });
    const ofOne = await pages('operatorActions', `, subjectId: "${job.payoutId}"`, 'action');
    expect(ofOne).toEqual([{ action: 'retry_job' }]);
    const ofBusiness = await pages(
      'operatorActions',
      `, businessId: "${tenant.businessId}"`,
      'action',
    );
    expect(ofBusiness.map(({ action }) => action)).not.toContain('pause_task');
  });
});

const documents = {
  operatorTasks: '{ operatorTasks { name } }',
  operatorJobs: '{ operatorJobs { edges { node { id takenBy } } } }',
  operatorWorkers: '{ operatorWorkers { id } }',
  operatorDeadLetters: '{ operatorDeadLetters(kind: delivery) { edges { node { subjectId } } } }',
  operatorProviders: '{ operatorProviders { provider } }',
  operatorEndpoints: '{ operatorEndpoints { edges { node { what } } } }',
  operatorActions: '{ operatorActions { edges { node { id of { companyName } } } } }',
};

describe.each(Object.entries(documents))('%s', (_name, query) => {
  it('is refused to every role of a business', async () => {
    const refused = async (key: string | undefined) =>
      (await harness.graphql(key, query)).body.errors[0].extensions.code;
    for (const role of roles) {
      expect(await refused(await tenant.keyWithRole(role)), role).toBe('forbidden');
    }
    expect(await refused(undefined)).toBe('unauthorized');
  });

  it('is one statement, however many rows there are', async () => {
    for (let n = 0; n < 5; n += 1) await makeJob({ attempts: 2 });
    await ask(query); // the key is known from here on
    const recorded = recordStatements((text) => text.includes('ops.'));
    try {
      await ask(query);
      expect(recorded.sent).toHaveLength(1);
    } finally {
      recorded.stop();
    }
  });
});
