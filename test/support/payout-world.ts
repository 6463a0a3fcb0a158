import { afterAll, beforeAll, beforeEach } from 'vitest';
import { inTransaction } from '../../src/db/pool.ts';
import type { suspendBeneficiary } from '../../src/domain/beneficiary/suspend.ts';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import { makeReference } from '../../src/providers/reference.ts';
import { decideOnPayout } from '../../src/domain/payout/decide.ts';
import { readPayout } from '../../src/domain/payout/read.ts';
import { applyProviderEvent } from '../../src/domain/provider-event/apply.ts';
import { keepProviderEvents } from '../../src/domain/provider-event/inbox.ts';
import type { ProviderPayoutEvent } from '../../src/providers/port.ts';
import type { Call } from '../../src/process/services.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { makePayee, makeTenant, payoutBody, type TestPayee, type TestTenant } from './factory.ts';
import {
  eventId,
  fakeProvider,
  newApproved,
  systemCall,
  withProvider,
  type FakeProvider,
  type SubmitFate,
} from './fake-provider.ts';
import { startHarness, type Harness } from './harness.ts';

interface Parts {
  harness: Harness;
  tenant: TestTenant;
  payee: TestPayee;
  provider: FakeProvider;
  /** As the service itself calls, with the fake provider. */
  call: Call;
}

/** What an event tells: its type, and what differs from an event that says nothing more. */
export type Told = Pick<ProviderPayoutEvent, 'type'> & Partial<ProviderPayoutEvent>;

export interface AttemptRow {
  readonly id: string;
  readonly status: string;
  readonly needs_operator: boolean;
  readonly provider_payout_id: string | null;
}

/**
 * Approved payouts on their way through a provider in memory, without a worker: each step is a call
 * of the test. A payee of its own for each test, and with `fresh` an empty database. To be called at
 * the top of a file; the parts are there within its tests.
 */
export function usePayoutWorld(
  options: { readonly env?: Record<string, string>; readonly fresh?: boolean } = {},
) {
  const parts = {} as Parts; // filled before each test

  beforeAll(async () => {
    // A call that ended a millisecond ago is over, so that a test may look it up at once.
    const env = { PROVIDER_TIMEOUT_MS: '1', ...options.env };
    parts.harness = await startHarness({ worker: false, env });
    parts.tenant = await makeTenant(parts.harness);
  });
  afterAll(() => parts.harness.close());
  beforeEach(async () => {
    const { harness } = parts;
    if (options.fresh === true) {
      await harness.database.reset();
      parts.tenant = await makeTenant(harness);
    }
    parts.payee = await makePayee(harness, parts.tenant.key);
    parts.provider = fakeProvider();
    const services = withProvider(harness.services, parts.provider);
    parts.call = await systemCall(services, parts.tenant.tenantId);
  });

  async function sql<T = Record<string, unknown>>(text: string, values: unknown[] = []) {
    return (await parts.harness.database.pool.query(text, values)).rows as T[];
  }

  function approved(): Promise<string> {
    const body = payoutBody(parts.payee, { validator_strategy: 'auto' });
    return newApproved(parts.harness, parts.tenant.key, body);
  }

  /** The attempts of a payout, oldest first. */
  function attempts(payoutId: string): Promise<AttemptRow[]> {
    return sql<AttemptRow>(
      `SELECT id, status, needs_operator, provider_payout_id FROM disbursement_attempt
       WHERE payout_id = $1 ORDER BY number`,
      [payoutId],
    );
  }

  /** Stores an event of an attempt and applies it; what became of it. */
  async function tellOf(attemptId: string, told: Told): Promise<string> {
    const event: ProviderPayoutEvent = {
      kind: 'payout',
      eventId: eventId(),
      occurredAt: '2026-11-01T10:00:00.000Z',
      reference: makeReference(parts.tenant.tenantId, attemptId),
      providerPayoutId: `po_${attemptId}`,
      amountMinor: 125_000n,
      currency: 'USD',
      railRef: null,
      expectedDeliveryDate: null,
      failure: null,
      ...told,
    };
    await keepProviderEvents(parts.call.services, 'simulator', [event]);
    await applyProviderEvent(parts.call.services, 'simulator', event.eventId);
    const [row] = await sql<{ status: string }>(
      'SELECT status FROM provider_event WHERE event_id = $1',
      [event.eventId],
    );
    return row?.status ?? '';
  }

  return Object.assign(parts, {
    sql,
    approved,
    attempts,
    tellOf,

    /** An approved payout whose first submission ended so. */
    async handedOver(fate: SubmitFate): Promise<string> {
      const id = await approved();
      parts.provider.fates.push(fate);
      await disbursePayout(parts.call, id).catch(() => undefined);
      return id;
    },

    /** The newest attempt of a payout, or the one with this number. */
    async attemptOf(payoutId: string, number = 0): Promise<AttemptRow> {
      const attempt = (await attempts(payoutId)).at(number - 1);
      if (attempt === undefined) throw new Error(`${payoutId} has no attempt ${number}`);
      return attempt;
    },

    /** Tells of the newest attempt of a payout, or of the one with this number. */
    async tell(payoutId: string, told: Told, number = 0): Promise<string> {
      const attempt = (await attempts(payoutId)).at(number - 1);
      return tellOf(attempt?.id ?? '', told);
    },

    async stateOf(payoutId: string): Promise<string> {
      return (await readPayout(parts.call, payoutId)).state;
    },

    /** Types of the payout's events, in their order. */
    async eventsOf(payoutId: string): Promise<string[]> {
      const text = 'SELECT type FROM event WHERE payout_id = $1 ORDER BY sequence';
      return (await sql<{ type: string }>(text, [payoutId])).map(({ type }) => type);
    },

    approve(payoutId: string) {
      const decision = { decisionId: newUlid(), status: 'approved', reasons: [] } as const;
      return decideOnPayout(parts.call, payoutId, { ...decision, reasons: [] });
    },

    /** Suspends or reinstates the payee. */
    async comply(change: typeof suspendBeneficiary): Promise<void> {
      const { payee, call } = parts;
      await inTransaction(call.services.pool, (client) =>
        change(client, call.scope, payee.beneficiaryId, 'by the test'),
      );
    },
  });
}
