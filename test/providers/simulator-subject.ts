import { sign } from '../../src/crypto/signature.ts';
import type { ConnectedProvider } from '../../src/providers/adapter.ts';
import type { ConformanceSubject, SignedEvent } from './conformance.ts';
import { enrollRequest, listen, startWorld, submitRequest, webhookSecret } from './support.ts';

const endingOf = { good: '6789', refused: '0004', held: '0005' } as const;
const faultOf = {
  refuse: { refuse: 1 },
  rate_limit: { rate_limited: 1 },
  fail_before_accept: { error_before_accept: 1 },
  fail_after_accept: { error_after_accept: 1 },
  cut_after_accept: { drop_after_accept: 1 },
  silence: { silent: 1 },
} as const;

function signed(body: string, timestamp: number): SignedEvent {
  const rawBody = Buffer.from(body);
  return {
    rawBody,
    headers: { 'x-service-signature': sign(webhookSecret, timestamp, rawBody) },
  };
}

const payoutEvent = {
  id: 'sev_1',
  type: 'payout.failed',
  occurred_at: '2026-11-21T09:30:00.000Z',
  data: {
    payout_id: 'po_1',
    reference: 'dat_1',
    amount_minor: 1250,
    currency: 'USD',
    status: 'failed',
    rail_ref: null,
    expected_delivery_date: null,
    failure: { code: 'invalid_account', message: 'The account does not exist.' },
  },
};
const recipientEvent = {
  id: 'sev_2',
  type: 'recipient.suspended',
  occurred_at: '2026-11-21T09:30:00.000Z',
  data: { recipient_id: 'rcp_1', reference: 'enr_1', status: 'suspended', reason: null },
};

async function closedPort(): Promise<string> {
  const server = await listen(() => undefined);
  await server.close();
  return server.url;
}

/**
 * The conformance subject of an adapter that speaks the simulator's protocol: the simulator itself,
 * whose faults are the troubles.
 * @param connect makes the adapter for a provider at `url`, with the API key and secret of support.ts
 */
export async function startSimulatorSubject(
  connect: (url: string) => ConnectedProvider,
): Promise<ConformanceSubject> {
  const world = await startWorld();
  const provider = connect(`${world.simulator.url}/`);
  const unreachable = connect(await closedPort());
  return {
    provider,
    unreachable,
    enrollRequest: (kind) => enrollRequest(endingOf[kind]),
    submitRequest,
    async trouble(kind) {
      await world.call('PUT', '/control/faults', faultOf[kind]);
    },
    async taken(reference) {
      return (await world.ledger()).filter((line) => line.reference === reference).length;
    },
    payoutEvent: (timestamp) => signed(JSON.stringify(payoutEvent), timestamp),
    recipientEvent: (timestamp) => signed(JSON.stringify(recipientEvent), timestamp),
    signedNonsense: (timestamp, body) => signed(body, timestamp),
    async close() {
      await provider.close();
      await unreachable.close();
      await world.close();
    },
  };
}
