import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readSimulatorConfig } from '../../simulator/config.ts';
import { reconcilePayouts } from '../../src/domain/reconciliation/reconcile.ts';
import type { Lie, LieChannel } from '../../simulator/lies.ts';
import { fetchLedger } from '../../tools/verify/sources.ts';
import { verify } from '../../tools/verify/verify.ts';
import { eventually, makePayee, payoutBody } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

/**
 * A provider that lies, over HTTP and by signed events: nothing is paid by a lie, a person hears of each,
 * and what its ledger has is never paid a second time.
 */
const { apiKey } = readSimulatorConfig({});

const harness = useHarness({
  shipped: true,
  env: { LOG_LEVEL: 'silent', PROVIDER_RETRY_DELAYS: '0.2,0.2' },
});
const tenant = useTenant(harness);
beforeEach(() => faults({}));

async function faults(settings: object): Promise<void> {
  const answer = await fetch(`${harness.simulatorUrl}/control/faults`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  expect(answer.status).toBe(200);
}
const lie = (told: Lie, ...channels: LieChannel[]) => faults({ lie: told, lie_in: channels });

async function sql<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
  return (await harness.database.pool.query(text, values)).rows as R[];
}

/** An approved payout to a payee whose account has this ending; the worker hands it over. */
async function pay(ending = '6789', more: object = {}): Promise<string> {
  const payee = await makePayee(harness, tenant.key, { accountNumber: `00012345${ending}` });
  const body = payoutBody(payee, { validator_strategy: 'auto', ...more });
  const { status, text, ...made } = await harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body,
  });
  if (status !== 201) throw new Error(text);
  return made.body.payout.id as string;
}

async function stateOf(id: string): Promise<string> {
  const { body } = await harness.rest('GET', `/v1/payouts/${id}`, { key: tenant.key });
  return body.payout.state as string;
}

const reaches = (id: string, state: string) =>
  eventually(async () => (await stateOf(id)) === state);

const kindsOf = async (id: string): Promise<string[]> =>
  (
    await sql<{ kind: string }>(
      'SELECT DISTINCT kind FROM ops.contradictions WHERE payout_id = $1 AND finding IS NULL ORDER BY 1',
      [id],
    )
  ).map(({ kind }) => kind);

/** Waits until a person is called, and sees that everybody who looks hears of it. */
async function expectCalled(id: string, kind: string): Promise<void> {
  await eventually(async () => (await kindsOf(id)).includes(kind));
  const [stuck] = await sql<{ reason: string; next_step: string }>(
    'SELECT reason, next_step FROM ops.stuck_payouts WHERE payout_id = $1',
    [id],
  );
  expect(stuck).toMatchObject({
    reason: 'provider_contradicts',
    next_step: expect.stringContaining('ops.examine_contradiction'),
  });
  const refused = await replace(id);
  expect([refused.status, refused.body.error.code]).toEqual([422, 'PREDECESSOR_NOT_REPLACEABLE']);
}

async function replace(id: string) {
  const [{ beneficiary_id, bank_account_id } = { beneficiary_id: '', bank_account_id: '' }] =
    await sql<{ beneficiary_id: string; bank_account_id: string }>(
      'SELECT beneficiary_id, bank_account_id FROM payout WHERE id = $1',
      [id],
    );
  const payee = { beneficiaryId: beneficiary_id, bankAccountId: bank_account_id };
  const body = payoutBody(payee, { replaces_payout_id: id });
  return harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
}

/** Asks the provider about everything that was handed over, as if it had been silent for long. */
async function askAgain(id: string): Promise<void> {
  await sql(`UPDATE payout SET updated_at = now() - interval '30 days' WHERE id = $1`, [id]);
  await sql('UPDATE disbursement_attempt SET looked_up_at = NULL WHERE payout_id = $1', [id]);
  await reconcilePayouts(harness.services);
}

const taken = async (id: string): Promise<number> => {
  const [attempt] = await sql<{ reference: string }>(
    `SELECT tenant_id || '.' || id AS reference FROM disbursement_attempt WHERE payout_id = $1`,
    [id],
  );
  const ledger = await fetchLedger(harness.simulatorUrl, apiKey);
  return ledger.filter(({ reference }) => reference === attempt?.reference).length;
};

afterAll(async () => {
  // Hooks run in the reverse order: the harness is still there.
  const findings = await verify({
    databaseUrl: harness.database.ownerUrl,
    ledger: () => fetchLedger(harness.simulatorUrl, apiKey),
    received: null,
    atRest: false,
  });
  expect(findings.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

describe('in the answer to a submission', () => {
  it.each([
    ['wrong_amount', 'amount'],
    ['wrong_currency', 'currency'],
    ['wrong_reference', 'reference'],
    ['other_payment', 'payment'],
  ] as const)('%s calls a person and pays nothing twice', async (told, kind) => {
    await lie(told, 'submissions');
    const id = await pay();
    await expectCalled(id, kind);
    expect(await taken(id)).toBe(1);
    // Look-ups and events tell the truth, which is not held back by the lie; but for the payment's id.
    if (told !== 'other_payment') await reaches(id, 'settled');
    expect(await taken(id)).toBe(1);
  });

  it('no amount at all is an outcome that is not known, and is looked up', async () => {
    await lie('no_amount', 'submissions');
    const id = await pay();
    await reaches(id, 'settled');
    expect(await kindsOf(id)).toEqual([]);
    expect(await taken(id)).toBe(1);
  });
});

describe('in events', () => {
  it.each([
    ['wrong_amount', 'amount'],
    ['wrong_currency', 'currency'],
    ['other_payment', 'payment'],
  ] as const)('%s moves nothing; the truth, asked for, does', async (told, kind) => {
    await lie(told, 'events');
    const id = await pay();
    await expectCalled(id, kind);
    expect(await stateOf(id)).toBe('approved');
    await faults({});
    const examined = await sql<{ left_open: number }>(
      `SELECT e.* FROM ops.contradictions c,
         ops.examine_contradiction(c.contradiction_id, 'as_recorded', 'ticket 4711', 'case 17') e
       WHERE c.payout_id = $1 AND c.finding IS NULL`,
      [id],
    );
    expect(examined.length).toBeGreaterThan(0);
    // The provider may have events to come, which are not lies.
    await eventually(async () => {
      await askAgain(id);
      return (await stateOf(id)) === 'settled';
    });
    expect(await kindsOf(id)).toEqual([]);
  });

  it('a second payment under the reference calls a person', async () => {
    await lie('second_payment', 'events');
    const id = await pay();
    await reaches(id, 'settled');
    await expectCalled(id, 'payment');
  });

  it('disbursed after failed moves nothing and refuses the replacement', async () => {
    await lie('disbursed_after_failed', 'events');
    const id = await pay('0001');
    await reaches(id, 'failed');
    await expectCalled(id, 'outcome');
    expect(await stateOf(id)).toBe('failed');
  });

  it('repeated and reordered, they come to the same', async () => {
    await faults({
      lie: 'disbursed_after_failed',
      lie_in: ['events'],
      repeat_events: 2,
      reorder_events: true,
    });
    const id = await pay('0001');
    await expectCalled(id, 'outcome');
    expect(await kindsOf(id)).toEqual(['outcome']);
  });

  it('without an amount they are refused, and the look-up tells', async () => {
    await lie('no_amount', 'events');
    const id = await pay();
    await eventually(async () => (await taken(id)) === 1);
    expect(await stateOf(id)).toBe('approved');
    await faults({});
    await reaches(id, 'settled');
  });
});

describe('in look-ups', () => {
  it.each([
    ['wrong_amount', 'amount'],
    ['wrong_currency', 'currency'],
    ['wrong_reference', 'reference'],
    ['other_payment', 'payment'],
    ['second_payment', 'second_payment'],
  ] as const)('%s moves nothing', async (told, kind) => {
    // Nothing is heard by events meanwhile.
    const settings = { lie: told, lie_in: ['lookups'], delay_events_ms: 600_000 };
    await faults(settings);
    const id = await pay();
    await eventually(async () => {
      const [row] = await sql<{ status: string }>(
        'SELECT status FROM disbursement_attempt WHERE payout_id = $1',
        [id],
      );
      return row?.status === 'submitted';
    });
    await askAgain(id);
    await expectCalled(id, kind);
    expect(await stateOf(id)).toBe('approved');
    expect(await taken(id)).toBe(1);
  });

  it('second_payment after a lost answer accepts neither and sends nothing', async () => {
    await faults({
      lie: 'second_payment',
      lie_in: ['lookups'],
      drop_after_accept: 1,
      delay_events_ms: 600_000,
    });
    const id = await pay();
    await expectCalled(id, 'second_payment');
    expect(await stateOf(id)).toBe('approved');
    expect(await taken(id)).toBe(1);
  });
});

it('an enrollment under another reference pays nobody', async () => {
  await lie('wrong_reference', 'recipients');
  const id = await pay();
  const [row] = await eventually(async () => {
    const found = await sql<{ kind: string; enrollment: string }>(
      `SELECT c.kind, c.subject_id AS enrollment FROM ops.contradictions c
       JOIN enrollment e ON e.id = c.subject_id JOIN payout p ON p.beneficiary_id = e.beneficiary_id
       WHERE p.id = $1`,
      [id],
    );
    return found.length > 0 && found;
  });
  expect(row?.kind).toBe('reference');
  expect(await taken(id)).toBe(0);
  await faults({});
  await reaches(id, 'settled');
});
