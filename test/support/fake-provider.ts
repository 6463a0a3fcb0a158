import { newId } from '../../src/values/ids.ts';
import { abilitiesOf, paidScheme } from '../../src/providers/capabilities.ts';
import {
  ProviderError,
  type ProviderPayout,
  type ProviderPort,
  type SubmitRequest,
  type Verdict,
} from '../../src/providers/port.ts';
import type { Call, Services } from '../../src/process/services.ts';
import { jobScope } from '../../src/access/system.ts';
import type { Harness } from './harness.ts';

/**
 * What becomes of a submission: taken or refused with an answer, or an answer that never comes,
 * after (`taken`) or before (`lost`) the provider took it. `crash` is our process ending at the call.
 */
export type SubmitFate =
  | 'ok'
  | 'rejected'
  | 'held'
  | 'retry'
  | 'unknown_taken'
  | 'unknown_lost'
  | 'crash_taken'
  | 'crash_lost';

export interface FakeProvider {
  readonly port: ProviderPort;
  /** Every accepted disbursement, by its idempotency key: what the provider would pay. */
  readonly ledger: ReadonlyMap<string, SubmitRequest & { readonly providerPayoutId: string }>;
  /** Submissions that reached the provider, whatever became of them. */
  readonly submissions: readonly SubmitRequest[];
  /** Fates of the next submissions, first to last; `ok` once they are used up. */
  readonly fates: SubmitFate[];
  /** What a look-up says beyond that the provider has the payment. */
  readonly found: Map<string, Partial<ProviderPayout>>;
  /** What a look-up finds under a reference beside the payment that was taken. */
  readonly further: Map<string, readonly ProviderPayout[]>;
  /** Makes every look-up fail. */
  down: boolean;
  /** References that were looked up. */
  readonly lookUps: string[];
}

/** Ends the call as a crash of our process would: with an error that no code of ours expects. */
export class Crash extends Error {}

const verdicts: Partial<Record<SubmitFate, Verdict>> = {
  rejected: 'rejected',
  held: 'held',
  retry: 'retry',
  unknown_taken: 'unknown',
  unknown_lost: 'unknown',
};

/** A provider in memory that keeps its promises: one payment for a key, found by its reference. */
export function fakeProvider(): FakeProvider {
  const ledger = new Map<string, SubmitRequest & { providerPayoutId: string }>();
  const found = new Map<string, Partial<ProviderPayout>>();
  const further = new Map<string, readonly ProviderPayout[]>();
  const submissions: SubmitRequest[] = [];
  const fates: SubmitFate[] = [];
  const lookUps: string[] = [];
  let recipients = 0;

  const payoutOf = (key: string): ProviderPayout => {
    const taken = ledger.get(key);
    if (taken === undefined) throw new Error(`nothing was taken under ${key}`);
    const { providerPayoutId, reference, amountMinor, currency } = taken;
    const plain = { status: 'processing', railRef: null, failure: null } as const;
    const statusAt = '2026-11-01T10:00:00.000Z';
    const said = { providerPayoutId, reference, amountMinor, currency, statusAt, ...plain };
    return { ...said, ...found.get(reference) };
  };

  const provider: FakeProvider = {
    ledger,
    submissions,
    fates,
    found,
    further,
    lookUps,
    down: false,
    port: {
      name: 'simulator',
      capabilities: {
        idempotencyWindowMs: 86_400_000,
        pays: [paidScheme(null)],
        can: abilitiesOf('enrolls'),
      },
      enroll: ({ reference }) => Promise.resolve({ recipientId: `rcp_${++recipients}`, reference }),
      async submit(request) {
        submissions.push(request);
        const fate = fates.shift() ?? 'ok';
        const known = ledger.has(request.idempotencyKey);
        if (!known && ['ok', 'unknown_taken', 'crash_taken'].includes(fate)) {
          const providerPayoutId = `po_${request.idempotencyKey}`;
          ledger.set(request.idempotencyKey, { ...request, providerPayoutId });
        }
        if (fate.startsWith('crash')) throw new Crash(fate);
        const verdict = verdicts[fate];
        // An honest provider does not refuse a key under which it pays.
        if (verdict === undefined || (known && verdict !== 'unknown')) {
          return payoutOf(request.idempotencyKey);
        }
        throw new ProviderError(verdict, 'provider_rejected', `the provider says ${fate}`);
      },
      async lookUp({ reference }) {
        lookUps.push(reference);
        if (provider.down) throw new ProviderError('unknown', 'other', 'down');
        const taken = [...ledger].find(([, request]) => request.reference === reference);
        return taken === undefined ? [] : [payoutOf(taken[0]), ...(further.get(reference) ?? [])];
      },
      checkHead: () => null,
      parseEvents: () => {
        throw new Error('events of the fake provider do not come over HTTP');
      },
    },
  };
  return provider;
}

/** The harness's parts with the fake in the place of the simulator. */
export function withProvider(services: Services, { port }: FakeProvider): Services {
  return {
    ...services,
    providers: {
      ...services.providers,
      forEnvironment: (environment) => (environment === 'sandbox' ? port : null),
      byName: (name) => (name === port.name ? port : null),
    },
  };
}

/** A call as the service itself makes it in a job for the tenant. */
export async function systemCall(services: Services, tenantId: string): Promise<Call> {
  const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'test' });
  return { services, scope };
}

let told = 0;

/** A new id for an event of the fake provider. */
export function eventId(): string {
  told += 1;
  return `sev_${told}_${newId('event')}`;
}

/** A payout that is approved, straight through the API. */
export async function newApproved(harness: Harness, key: string, body: unknown): Promise<string> {
  const answer = await harness.rest('POST', '/v1/payouts', { key, body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.payout.id as string;
}
