import { describe, expect, it, vi } from 'vitest';
import { jobScope } from '../../../src/access/system.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { enrollForPayout } from '../../../src/domain/enrollment/for-payout.ts';
import {
  applyRecipientEvent,
  type RecipientEvent,
} from '../../../src/domain/enrollment/recipient-event.ts';
import { newId } from '../../../src/values/ids.ts';
import { makePayee } from '../../support/factory.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

type Told = Pick<RecipientEvent, 'type'> & { readonly at: number; readonly recipientId?: string };

async function tell(enrollmentId: string, told: Told, name = 'simulator'): Promise<boolean> {
  const { pool } = harness.services;
  const scope = await jobScope(pool, tenant.tenantId, { type: 'provider', name });
  const occurredAt = new Date(Date.UTC(2026, 10, 1, 0, 0, told.at)).toISOString();
  const { rows } = await harness.database.pool.query<{ recipientId: string | null }>(
    'SELECT recipient_id AS "recipientId" FROM enrollment WHERE tenant_id = $1 AND id = $2',
    [scope.tenantId, enrollmentId],
  );
  const { type, recipientId = rows[0]?.recipientId ?? 'rcp_1' } = told;
  return inTransaction(pool, (client) =>
    applyRecipientEvent(client, scope, {
      enrollmentId,
      type,
      recipientId,
      reason: 'r',
      occurredAt,
    }),
  );
}

interface Enrolled {
  readonly beneficiaryId: string;
  readonly bankAccountId: string;
  readonly enrollmentId: string;
}

async function enrolled(): Promise<Enrolled> {
  const payee = await makePayee(harness, tenant.key);
  const { services } = harness;
  const scope = await jobScope(services.pool, tenant.tenantId, { type: 'system', name: 'test' });
  await enrollForPayout({ services, scope }, { ...payee, version: 1, provider: 'simulator' });
  const { rows } = await harness.database.pool.query<{ id: string }>(
    'SELECT id FROM enrollment WHERE beneficiary_id = $1',
    [payee.beneficiaryId],
  );
  return { ...payee, enrollmentId: rows[0]?.id ?? '' };
}

/** A second account of a payee, and its enrollment. */
async function enrolledToo(beneficiaryId: string): Promise<Enrolled> {
  const { services } = harness;
  const path = `/v1/beneficiaries/${beneficiaryId}/bank-accounts`;
  const added = await harness.rest('POST', path, {
    key: tenant.key,
    body: {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '7654321',
    },
  });
  const bankAccountId: string = added.body.bank_account.id;
  const scope = await jobScope(services.pool, tenant.tenantId, { type: 'system', name: 'test' });
  await enrollForPayout(
    { services, scope },
    { beneficiaryId, bankAccountId, version: 1, provider: 'simulator' },
  );
  const { rows } = await harness.database.pool.query<{ id: string }>(
    'SELECT id FROM enrollment WHERE bank_account_id = $1',
    [bankAccountId],
  );
  return { beneficiaryId, bankAccountId, enrollmentId: rows[0]?.id ?? '' };
}

async function state({ beneficiaryId, enrollmentId }: Enrolled) {
  const { rows } = await harness.database.pool.query<{
    status: string;
    enrollment_status: string;
    compliance_status: string;
  }>(
    `SELECT e.status, b.enrollment_status, b.compliance_status FROM enrollment e
     JOIN beneficiary b ON b.tenant_id = e.tenant_id AND b.id = e.beneficiary_id
     WHERE e.id = $1 AND b.id = $2`,
    [enrollmentId, beneficiaryId],
  );
  return rows[0];
}

const at = (status: string, compliance = 'compliant') => ({
  status,
  enrollment_status: status,
  compliance_status: compliance,
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

const suspended: Told = { type: 'suspended', at: 1 };
const reinstated: Told = { type: 'reinstated', at: 2 };
const again: Told = { type: 'suspended', at: 3 };
const closed: Told = { type: 'closed', at: 4 };

describe('events of a recipient', () => {
  it.each([
    ['suspended', [suspended], at('suspended', 'suspended')],
    ['suspended, reinstated', [suspended, reinstated], at('verified')],
    ['suspended twice', [suspended, reinstated, again], at('suspended', 'suspended')],
    ['closed in the end', [suspended, reinstated, again, closed], at('closed')],
  ])('%s: any order and repetition ends in the same state', async (_name, events, end) => {
    for (const order of permutations(events)) {
      const target = await enrolled();
      for (const told of [...order, ...order]) await tell(target.enrollmentId, told);
      expect(await state(target), order.map(({ type }) => type).join()).toEqual(end);
    }
  });

  it('holds the stricter of two at one instant', async () => {
    for (const order of permutations([suspended, { ...reinstated, at: 1 }])) {
      const target = await enrolled();
      for (const told of order) await tell(target.enrollmentId, told);
      expect(await state(target)).toEqual(at('suspended', 'suspended'));
    }
  });

  it('keeps one that overtakes the answer to our own call', async () => {
    const { services } = harness;
    const scope = await jobScope(services.pool, tenant.tenantId, { type: 'system', name: 'test' });
    const provider = services.providers.forEnvironment('sandbox');
    if (provider === null) throw new Error('the sandbox has a provider');
    for (const [told, end] of [
      [closed, at('closed')],
      [suspended, at('suspended', 'suspended')],
    ] as const) {
      const payee = await makePayee(harness, tenant.key);
      let enrollmentId = '';
      vi.spyOn(provider, 'enroll').mockImplementationOnce(async (request) => {
        enrollmentId = request.idempotencyKey;
        expect(await tell(enrollmentId, told)).toBe(true);
        return { recipientId: 'rcp_1', reference: request.reference };
      });
      const answer = await enrollForPayout(
        { services, scope },
        { ...payee, version: 1, provider: 'simulator' },
      );
      expect(answer).toEqual({ kind: 'rejected', message: 'r' });
      expect(await state({ ...payee, enrollmentId })).toEqual(end);
    }
  });

  it('hears nothing from an event of another recipient', async () => {
    const target = await enrolled();
    await tell(target.enrollmentId, suspended);
    const before = await state(target);
    const reinstated = { type: 'reinstated', at: suspended.at + 1 } as const;
    expect(await tell(target.enrollmentId, { ...reinstated, recipientId: 'rcp_2' })).toBe(false);
    expect(await state(target)).toEqual(before);
    expect(await tell(target.enrollmentId, reinstated)).toBe(true);
  });

  it('stays suspended while the provider holds another account of the payee', async () => {
    const first = await enrolled();
    const second = await enrolledToo(first.beneficiaryId);
    for (const { enrollmentId } of [first, second]) await tell(enrollmentId, suspended);
    const compliance = async () => (await state(first))?.compliance_status;
    for (const type of ['reinstated', 'closed'] as const) {
      await tell(first.enrollmentId, { type, at: 2 });
      expect(await compliance()).toBe('suspended');
    }
    await tell(second.enrollmentId, reinstated);
    expect(await compliance()).toBe('compliant');
  });

  it('is reinstated whatever became of the account of another payee', async () => {
    const [mine, theirs] = [await enrolled(), await enrolled()];
    for (const { enrollmentId } of [mine, theirs]) await tell(enrollmentId, suspended);
    await tell(mine.enrollmentId, reinstated);
    expect(await state(mine)).toEqual(at('verified'));
    expect(await state(theirs)).toEqual(at('suspended', 'suspended'));
  });

  it('ends with the closing, whatever the provider says later', async () => {
    const target = await enrolled();
    await tell(target.enrollmentId, { type: 'closed', at: 1 });
    for (const type of ['reinstated', 'suspended', 'closed'] as const) {
      expect(await tell(target.enrollmentId, { type, at: 9 })).toBe(false);
    }
    expect(await state(target)).toEqual(at('closed'));
  });

  it('says nothing of what another provider enrolled', async () => {
    const target = await enrolled();
    for (const told of [suspended, closed]) {
      expect(await tell(target.enrollmentId, told, 'another')).toBe(false);
    }
    expect(await state(target)).toEqual(at('verified'));
  });

  it('says nothing of an enrollment that the provider refused', async () => {
    const target = await enrolled();
    const rejected = `UPDATE enrollment SET status = 'rejected' WHERE id = $1`;
    await harness.database.pool.query(rejected, [target.enrollmentId]);
    expect(await tell(target.enrollmentId, suspended)).toBe(false);
    expect(await state(target)).toMatchObject({ compliance_status: 'compliant' });
  });

  it('forgets the reason of a suspension with the suspension', async () => {
    const target = await enrolled();
    const reason = async () => {
      const { rows } = await harness.database.pool.query<{ reason: string | null }>(
        'SELECT failure_message AS reason FROM enrollment WHERE id = $1',
        [target.enrollmentId],
      );
      return rows[0]?.reason;
    };
    await tell(target.enrollmentId, suspended);
    expect(await reason()).toBe('r');
    await tell(target.enrollmentId, reinstated);
    expect(await reason()).toBeNull();
  });

  /** A later enrollment of the same account, which ended so. */
  const enrolledAnew = ({ enrollmentId }: Enrolled, status: string) =>
    harness.database.pool.query(
      `INSERT INTO enrollment (tenant_id, id, beneficiary_id, bank_account_id, bank_account_version,
         provider, status, recipient_id, requested_at, completed_at)
       SELECT tenant_id, $2, beneficiary_id, bank_account_id, bank_account_version, provider, $3,
         CASE WHEN $3 = 'rejected' THEN NULL ELSE 'rcp_' || $2 END, requested_at + interval '1 second', now()
       FROM enrollment WHERE id = $1`,
      [enrollmentId, newId('enrollment'), status],
    );

  it.each<[string, (target: Enrolled) => Promise<unknown>, string]>([
    [
      'which tells of another account',
      ({ beneficiaryId }) =>
        harness.database.pool.query(
          'UPDATE beneficiary SET enrolled_bank_account_id = NULL WHERE id = $1',
          [beneficiaryId],
        ),
      'verified',
    ],
    [
      'while another account is being enrolled',
      ({ beneficiaryId }) =>
        harness.database.pool.query(
          `UPDATE beneficiary SET enrollment_status = 'pending' WHERE id = $1`,
          [beneficiaryId],
        ),
      'pending',
    ],
    ['which tells of a later enrollment', (target) => enrolledAnew(target, 'verified'), 'verified'],
    [
      'where the later enrollment was refused',
      (target) => enrolledAnew(target, 'rejected'),
      'suspended',
    ],
  ])("is told by the beneficiary's status, or not: %s", async (_name, change, expected) => {
    const target = await enrolled();
    await change(target);
    expect(await tell(target.enrollmentId, suspended)).toBe(true);
    expect(await state(target)).toEqual({
      status: 'suspended',
      enrollment_status: expected,
      compliance_status: 'suspended',
    });
  });

  it('knows nothing of an unknown enrollment', async () => {
    expect(await tell('enr_01m7y1zpmge009k8btrf4wycq4', suspended)).toBe(false);
  });

  it('blocks the destination of payouts without enrolling it anew', async () => {
    const target = await enrolled();
    await tell(target.enrollmentId, closed);
    const { services } = harness;
    const scope = await jobScope(services.pool, tenant.tenantId, { type: 'system', name: 'test' });
    const answer = await enrollForPayout(
      { services, scope },
      { ...target, version: 1, provider: 'simulator' },
    );
    expect(answer).toEqual({ kind: 'rejected', message: 'r' });
  });
});
