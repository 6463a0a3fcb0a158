import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { schema } from '../../schema/schema.ts';
import { europeanBank } from '../support/banking.ts';
import { newId } from '../../src/values/ids.ts';
import { webhookBody } from '../support/matrix/world.ts';
import { usePayoutWorld } from '../support/payout-world.ts';

/* What an operator does over GraphQL stands in the log beside what operators do in SQL. */

const world = usePayoutWorld({ env: { LOG_LEVEL: 'silent', ENROLL_WAIT_MS: '1' } });
const { handedOver, sql } = world;
let operator: { id: string; key: string };
beforeAll(async () => {
  operator = await issueOperatorKey(world.harness.database.pool, 'On call');
});

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});

/** Those of operators, by what they tell of themselves. */
const ofOperators = mutations.filter(({ description }) =>
  (description ?? '').startsWith('Operators only.'),
);

interface Given {
  readonly args: Record<string, unknown>;
  /** What the line names, where it is not the id of the answer; null for nothing with an id. */
  readonly subject?: string | null;
  /** The action of the line, where the worker carries an order out. */
  readonly action?: string;
  readonly tenant?: 'sandbox' | 'production' | null;
}

const at = () => ({ businessId: world.tenant.businessId });
const inSandbox = () => ({ ...at(), environment: 'sandbox' });

async function profile(status: string): Promise<void> {
  await sql('UPDATE business SET profile_status = $2 WHERE id = $1', [
    world.tenant.businessId,
    status,
  ]);
}

async function registrant(): Promise<string> {
  const { harness, tenant } = world;
  return (await harness.graphql(tenant.key, '{ me { membershipId } }')).body.data.me.membershipId;
}

/** A job whose last attempt failed; its number, and the payout that it is about. */
async function deadJob(): Promise<{ readonly id: string; readonly payoutId: string }> {
  const payoutId = newId('payout');
  const [row] = await sql<{ id: string }>(
    `SELECT id FROM graphile_worker.add_job('disburse_payout', $1, run_at := 'infinity', max_attempts := 1)`,
    [{ tenantId: world.tenant.tenantId, payoutId }],
  );
  await sql('UPDATE graphile_worker._private_jobs SET attempts = 1 WHERE id = $1', [row?.id]);
  return { id: String(row?.id), payoutId };
}

/** A payee who was invited, whose mail could not be sent. */
async function deadMail(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const invites = [{ email, beneficiary_type: 'business', business_name: 'Mail Ltd' }];
  const answer = await world.harness.rest('POST', '/v1/beneficiaries/collection-invites', {
    key: world.tenant.key,
    body: { invites },
  });
  const { id } = answer.body.results[0].collection_request;
  await sql(`UPDATE collection_request SET mail_status = 'dead' WHERE id = $1`, [id]);
  return id;
}

/** A delivery that was given up, to an endpoint that takes deliveries again. */
async function deadDelivery(): Promise<void> {
  const { key, tenantId } = world.tenant;
  const { rest } = world.harness;
  await rest('POST', '/v1/webhook-subscriptions', { key, body: webhookBody });
  await rest('POST', '/v1/webhook-subscriptions/test', { key });
  await sql(
    `UPDATE webhook_delivery SET status = 'dead', completed_at = now(), next_attempt_at = NULL, attempts = 8
     WHERE tenant_id = $1`,
    [tenantId],
  );
}

/** How each is called so that it does something. One that is not here fails the test. */
const scenarios: Readonly<Record<string, () => Promise<Given>>> = {
  operatorProfileAccept: async () => {
    await profile('submitted');
    return { args: at(), subject: world.tenant.businessId, tenant: null };
  },
  operatorProfileDecline: async () => {
    await profile('submitted');
    const args = { ...at(), explanation: 'a document is missing' };
    return { args, subject: world.tenant.businessId, tenant: null };
  },
  operatorProductionKeyIssue: async () => {
    await profile('accepted');
    return { args: { ...at(), membershipId: await registrant(), role: 'viewer' } };
  },
  operatorMemberInvitationSend: async () => {
    await profile('accepted');
    return { args: { ...at(), membershipId: await registrant() } };
  },
  operatorBankConnect: () => Promise.resolve({ args: { ...at(), ...europeanBank } }),
  operatorBankConnectionChange: async () => {
    const connectionId = await call('operatorBankConnect', { ...at(), ...europeanBank });
    return { args: { ...at(), connectionId, version: 1, status: 'paused' } };
  },
  operatorRoutesReplace: async () => {
    const connectionId = await call('operatorBankConnect', { ...at(), ...europeanBank });
    const args = { ...at(), version: 0, routes: [{ connectionId }] };
    return { args, subject: world.tenant.businessId };
  },
  operatorBalanceReport: () =>
    Promise.resolve({ args: { ...at(), currency: 'USD', availableBalanceMinor: 5 } }),
  operatorFundingModeSet: () => {
    const openingBalances = [{ currency: 'USD', availableBalanceMinor: 5 }];
    const args = { ...at(), mode: 'enforced', openingBalances };
    return Promise.resolve({ args, subject: world.tenant.businessId });
  },
  operatorFundingRecord: () => {
    const money = { kind: 'funding', currency: 'USD', amountMinor: 5, source: 'line 1' };
    return Promise.resolve({ args: { ...at(), ...money } });
  },
  operatorBeneficiarySuspend: () =>
    Promise.resolve({
      args: { ...inSandbox(), beneficiaryId: world.payee.beneficiaryId },
      tenant: 'sandbox',
    }),
  operatorBeneficiaryReinstate: async () => {
    const args = { ...inSandbox(), beneficiaryId: world.payee.beneficiaryId };
    await call('operatorBeneficiarySuspend', args);
    return { args, tenant: 'sandbox' };
  },
  operatorBeneficiaryErase: () => {
    const args = {
      ...inSandbox(),
      beneficiaryId: world.payee.beneficiaryId,
      ground: 'payee_request',
    };
    return Promise.resolve({ args, subject: world.payee.beneficiaryId, tenant: 'sandbox' });
  },
  operatorPayoutLookUp: async () => {
    const payoutId = await handedOver('unknown_lost');
    return {
      args: { ...inSandbox(), payoutId },
      subject: payoutId,
      action: 'look_up_payout',
      tenant: 'sandbox',
    };
  },
  operatorPayoutResolve: async () => {
    const payoutId = await handedOver('unknown_lost');
    const args = { ...inSandbox(), payoutId, outcome: 'not_paid', evidence: 'ticket 4711' };
    return { args, subject: payoutId, action: 'resolve_payout', tenant: 'sandbox' };
  },
  operatorPayoutResolutionAnswer: async () => {
    const payoutId = await handedOver('unknown_lost');
    const order = { ...inSandbox(), payoutId, outcome: 'not_paid', evidence: 'ticket 4711' };
    await call('operatorPayoutResolve', order);
    const [waiting] = await sql<{ id: string }>(
      `SELECT id FROM ops.action_log WHERE subject_id = $1 AND action = 'resolve_payout'`,
      [payoutId],
    );
    return {
      args: { ...inSandbox(), orderId: waiting?.id, answer: 'declined' },
      subject: payoutId,
      tenant: 'sandbox',
    };
  },
  operatorContradictionExamine: async () => {
    const payoutId = await handedOver('unknown_lost');
    const [row] = await sql<{ id: string }>(
      `INSERT INTO provider_contradiction (tenant_id, subject_id, payout_id, provider, kind, said, expected, source)
       SELECT tenant_id, id, payout_id, provider, 'amount', '2', '1', 'event'
       FROM disbursement_attempt WHERE payout_id = $1 RETURNING id`,
      [payoutId],
    );
    const found = { finding: 'as_recorded', evidence: 'ticket 4711' };
    return {
      args: { ...inSandbox(), contradictionId: row?.id, ...found },
      subject: payoutId,
      action: 'examine_contradiction',
      tenant: 'sandbox',
    };
  },
  operatorTaskPause: () =>
    Promise.resolve({
      args: { task: 'write_export' },
      action: 'pause_task',
      subject: null,
      tenant: null,
    }),
  operatorTaskResume: async () => {
    const args = { task: 'write_export' };
    await sql('DELETE FROM paused_task');
    await call('operatorTaskPause', args);
    return { args, action: 'resume_task', subject: null, tenant: null };
  },
  operatorJobRetry: async () => {
    const { id, payoutId } = await deadJob();
    return { args: { id }, action: 'retry_job', subject: payoutId, tenant: 'sandbox' };
  },
  operatorJobSchedule: async () => {
    const payoutId = await world.approved();
    const args = { task: 'disburse_payout', subjectId: payoutId };
    return { args, action: 'schedule', subject: payoutId, tenant: 'sandbox' };
  },
  operatorMailResend: async () => {
    const requestId = await deadMail();
    return { args: { requestId }, action: 'resend_mail', subject: requestId, tenant: 'sandbox' };
  },
  operatorDeliveriesReplay: async () => {
    await deadDelivery();
    const window = { createdSince: '2026-01-01T00:00:00Z', createdBefore: '9999-01-01T00:00:00Z' };
    return {
      args: { ...inSandbox(), ...window },
      action: 'replay_dead_letters',
      subject: null,
      tenant: 'sandbox',
    };
  },
};

/** Those that need files of a bank or another operator's proposal: the tests that have some look for their lines. */
const triedElsewhere: readonly string[] = [
  // test/graphql/provider-connections.test.ts
  'operatorProviderConnect',
  'operatorProviderConnectionChange',
  // test/graphql/proposed-changes.test.ts
  'operatorChangeAnswer',
  // test/graphql/operator-bank-batches.test.ts
  'operatorBankBatchDownload',
  'operatorBankBatchResolve',
  'operatorBankBatchUploaded',
  'operatorBankBatchesClose',
  // test/graphql/bank-stray-answers.test.ts
  'operatorBankAnswerExplain',
  // test/graphql/bank-other-files.test.ts
  'operatorBankFileDismiss',
  // test/graphql/bank-files.test.ts
  'operatorBankFileReadAgain',
  'operatorBankFileTake',
  'operatorBankLineExplain',
  'operatorBankLineMatch',
];

/** Runs an operator's mutation with its arguments as variables; the first field of its answer. */
async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const field = mutations.find((one) => one.name === name);
  const values: Record<string, unknown> = { ...args, reason: `because ${name}` };
  const used = (field?.args ?? []).filter((arg) => values[arg.name] !== undefined);
  const declared = used.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = used.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const [, noun = ''] =
    /^operator(Payout|Contradiction|BeneficiaryErase|Routes|Task|MailResend|DeliveriesReplay)/.exec(
      name,
    ) ?? [];
  const ids: Readonly<Record<string, string>> = {
    '': 'id',
    BeneficiaryErase: 'id: beneficiaryId',
    Routes: 'id: version',
    Task: 'id: name',
    MailResend: 'id: requestId',
    DeliveriesReplay: 'id: actionId',
  };
  const shown = ids[noun] ?? 'id: payoutId';
  const document = `mutation (${declared}) { ${name}(${passed}) { ${shown} } }`;
  const answer = await world.harness.graphql(operator.key, document, values);
  if (answer.body.errors !== undefined) throw new Error(answer.text);
  return answer.body.data[name].id;
}

const lines = () =>
  sql<Record<string, unknown>>(
    `SELECT l.who, l.action, l.subject_id, l.reason, l.affected, t.environment
     FROM ops.action_log l LEFT JOIN tenant t ON t.id = l.tenant_id ORDER BY l.id`,
  );

describe('each mutation of an operator is a line of ops.action_log', () => {
  it('and all of them are tried here', () => {
    expect(ofOperators.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(scenarios), ...triedElsewhere].toSorted(),
    );
  });

  it('and no other mutation can be called by one', async () => {
    const known = new Set(ofOperators.map(({ name }) => name));
    const named = mutations.filter(({ name }) => name.startsWith('operator'));
    expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
  });

  it.each(Object.keys(scenarios))('%s', async (name) => {
    const {
      args,
      subject,
      action,
      tenant = 'production',
    } = (await scenarios[name]?.()) ?? {
      args: {},
    };
    const before = await lines();
    const id = await call(name, args);
    expect((await lines()).slice(before.length)).toEqual([
      {
        who: operator.id,
        action: action ?? name,
        subject_id: subject === undefined ? id : subject,
        reason: `because ${name}`,
        affected: 1,
        environment: tenant,
      },
    ]);
    const [recorded] = await sql(
      'SELECT action FROM operator_action WHERE operator_key_id = $1 ORDER BY id DESC LIMIT 1',
      [operator.id],
    );
    expect(recorded).toEqual({ action: name });
  });

  it('and a refused one leaves none', async () => {
    const before = await lines();
    await expect(
      call('operatorProfileAccept', { businessId: `biz_${randomUUID()}` }),
    ).rejects.toThrow('not_found');
    expect(await lines()).toEqual(before);
  });
});
