import { eventsOnRequest } from '../../../../src/domain/event/on-request.ts';
import { eventTypes, recordedTypes, testEventType } from '../../../../src/domain/event/types.ts';
import { eventually, makePayee, makeTenant } from '../../../support/factory.ts';
import type { Harness } from '../../../support/harness.ts';
import type { WebhookReceiver } from '../../../support/receiver.ts';
import { causeRequestedEvents } from '../../../support/requested-events.ts';
import { checkDelivery } from './delivery.ts';
import type { Cast } from './payees.ts';
import type { Recorder } from './recorder.ts';

const amount = { amount_minor: 125_000, currency: 'USD', purpose_of_payment: 'contractor_payment' };

const decisionIds = {
  review: '01KAJB3E80R3V13W0000000001',
  approval: '01KAJB3E80APPR0VA000000001',
  rejection: '01KAJB3E80REJECT0000000001',
};

/** The endpoint, registered and then replaced. */
export async function recordEndpoint(
  record: Recorder,
  { url }: WebhookReceiver,
  key: string,
): Promise<void> {
  const path = '/v1/webhook-subscriptions';
  const ask = (method: string, name: string, summary: string, body?: object) =>
    record.success(name, summary, { method, path, key, body });
  await ask('POST', 'registered', 'An endpoint for two types of event', {
    url,
    enabled_events: ['payout.disbursed', 'payout.failed'],
  });
  await ask('POST', 'replaced', 'An endpoint for every type, with a new secret', {
    url,
    enabled_events: [...eventTypes],
  });
  await ask('PATCH', 'enabled', 'An endpoint that gets events', { enabled: true });
  await ask('GET', 'found', 'The endpoint');
}

/** A payout from its dry run to its approval; gives its id. */
async function recordCreate(record: Recorder, cast: Cast): Promise<string> {
  const { key, beneficiaryId: beneficiary_id, bankAccountId: bank_account_id } = cast;
  const body = {
    beneficiary_id,
    bank_account_id,
    ...amount,
    idempotency_key: 'invoice-2026-118',
    external_ref: 'invoice-2026-118',
    metadata: { department: 'engines' },
  };
  const create = (name: string, summary: string, more: object = {}) =>
    record.success(name, summary, {
      method: 'POST',
      path: '/v1/payouts',
      key,
      body: { ...body, ...more },
    });
  await create('dry_run', 'Every check, and nothing written', { dry_run: true });
  const created = await create('payout', 'A payout that waits for its approval');
  await create('replay', 'The same request again');
  const id: string = created.body.payout.id;
  const ask = (method: string, path: string, name: string, summary: string, given?: object) =>
    record.success(name, summary, { method, path: `/v1/payouts/${id}${path}`, key, body: given });
  const review = {
    decision_id: decisionIds.review,
    status: 'pending_review',
    reasons: [{ code: 'UNUSUAL_AMOUNT', message: 'Twice the usual amount.', details: {} }],
    policy_version: '7',
    agent_version: '2.1',
    confidence: 0.4,
  };
  await ask('POST', '/decisions', 'review', 'A program asks a person to look', review);
  await ask('POST', '/decisions', 'replay', 'The same decision again', review);
  await ask('GET', '/decisions', 'page', 'All decisions so far');
  await ask('POST', '/approve', 'approved', 'An approval', {
    decision_id: decisionIds.approval,
    reasons: [{ message: 'Checked with the department.' }],
  });
  return id;
}

/** Payouts of a second kind: rejected, canceled, held, in bulk. */
async function recordOthers(record: Recorder, harness: Harness, cast: Cast): Promise<void> {
  const { key, beneficiaryId: beneficiary_id, bankAccountId: bank_account_id } = cast;
  const row = (idempotency_key: string, more: object = {}) => ({
    beneficiary_id,
    bank_account_id,
    ...amount,
    idempotency_key,
    ...more,
  });
  const bulk = await record.success(
    'rows',
    'Two good rows, and one in another currency than its account',
    {
      method: 'POST',
      path: '/v1/payouts/bulk',
      key,
      body: {
        mode: 'partial',
        payouts: [row('october-1'), row('october-2'), row('october-3', { currency: 'EUR' })],
      },
    },
  );
  const [first, second] = bulk.body.results.map((result: any) => result.payout?.id as string); // oxlint-disable-line typescript/no-explicit-any
  await record.success('rejected', 'A rejection', {
    method: 'POST',
    path: `/v1/payouts/${first}/reject`,
    key,
    body: { decision_id: decisionIds.rejection, reasons: [{ message: 'Paid in cash.' }] },
  });
  await record.success('canceled', 'A canceled payout', {
    method: 'POST',
    path: `/v1/payouts/${second}/cancel`,
    key,
  });
  const held = await harness.rest('POST', '/v1/payouts', { key, body: row('november-1') });
  await record.success('hold', 'A hold for compliance', {
    method: 'POST',
    path: `/v1/sandbox/payouts/${held.body.payout.id}/simulate`,
    key,
    body: { event: 'hold' },
  });
}

/** A payout to a destination that ends it in a certain way; gives its id. */
async function endsBadly(harness: Harness, key: string, accountNumber: string): Promise<string> {
  const payee = await makePayee(harness, key, { accountNumber });
  const { body } = await harness.rest('POST', '/v1/payouts', {
    key,
    body: {
      beneficiary_id: payee.beneficiaryId,
      bank_account_id: payee.bankAccountId,
      ...amount,
      idempotency_key: accountNumber,
      validator_strategy: 'auto',
    },
  });
  return body.payout.id;
}

async function recordEvents(
  record: Recorder,
  receiver: WebhookReceiver,
  payoutOf: Readonly<Record<string, string>>,
): Promise<void> {
  for (const type of recordedTypes) {
    const found = await eventually(() =>
      Promise.resolve(
        receiver.received.find(
          ({ event }) => event.type === type && event.data['payout_id'] === payoutOf[type],
        ),
      ),
    );
    record.event(type, found.event);
    checkDelivery(found);
  }
}

/** Payouts and every event of their lives; gives the one that settled. */
export async function recordPayouts(
  record: Recorder,
  harness: Harness,
  receiver: WebhookReceiver,
  cast: Cast,
): Promise<string> {
  const { key } = cast;
  const settled = await recordCreate(record, cast);
  await recordOthers(record, harness, cast);
  const failed = await endsBadly(harness, key, '000123450001');
  const returned = await endsBadly(harness, key, '000123450002');
  const ofSettled = Object.fromEntries(recordedTypes.map((type) => [type, settled]));
  await recordEvents(record, receiver, {
    ...ofSettled,
    'payout.failed': failed,
    'payout.returned': returned,
  });
  const get = (path: string, name: string, summary: string) =>
    record.success(name, summary, { method: 'GET', path, key });
  await get(`/v1/payouts/${settled}`, 'settled', 'A settled payout');
  await get('/v1/payouts?limit=1&state=settled', 'page', 'The settled payouts');
  return settled;
}

/** The events that are sent to whoever names them, of a business of their own. */
export async function recordRequested(
  record: Recorder,
  harness: Harness,
  receiver: WebhookReceiver,
): Promise<void> {
  const tenant = await makeTenant(harness);
  const before = receiver.received.length;
  await harness.rest('POST', '/v1/webhook-subscriptions', {
    key: tenant.key,
    body: { url: receiver.url, enabled_events: Object.keys(eventsOnRequest) },
  });
  await causeRequestedEvents(harness, tenant);
  for (const type of Object.keys(eventsOnRequest)) {
    const found = await eventually(() =>
      Promise.resolve(receiver.received.slice(before).find(({ event }) => event.type === type)),
    );
    record.event(type, { ...found.event, data: { ...found.event.data, ...steady[type] } });
    checkDelivery(found);
  }
}

/** Of types that come more than once: what one of them says, whichever arrives first. */
const steady: Readonly<Record<string, object>> = {
  'beneficiary.changed': { change: 'updated', changed_fields: ['nickname'] },
};

/** Deliveries of the payout that settled, and those of a test. */
export async function recordDeliveries(
  record: Recorder,
  harness: Harness,
  receiver: WebhookReceiver,
  { key, settled }: { readonly key: string; readonly settled: string },
): Promise<void> {
  const base = '/v1/webhook-subscriptions';
  const list = `${base}/deliveries?event_type=payout.settled&payout_id=${settled}`;
  const delivered = async (path: string) => {
    const { body } = await harness.rest('GET', path, { key });
    const all = body.deliveries.every(({ status }: { status: string }) => status === 'delivered');
    return all && body.deliveries.length > 0;
  };
  await eventually(() => delivered(list));
  await record.success('test', 'A test event', { method: 'POST', path: `${base}/test`, key });
  const tried = await eventually(() =>
    Promise.resolve(receiver.received.find(({ event }) => event.type === testEventType)),
  );
  record.event(testEventType, tried.event);
  checkDelivery(tried);
  const page = await record.success('page', 'The delivery of one event', {
    method: 'GET',
    path: list,
    key,
  });
  const path = `${base}/deliveries/${page.body.deliveries[0].id}`;
  await record.success('found', 'A delivery that needed one attempt', { method: 'GET', path, key });
  const events = await record.success('page', 'The newest event of one type, which was sent', {
    method: 'GET',
    path: '/v1/events?type=payout.settled&limit=1',
    key,
  });
  await record.success('found', 'An event that was sent', {
    method: 'GET',
    path: `/v1/events/${events.body.events[0].id}`,
    key,
  });
  const window = {
    created_since: '2026-01-01T00:00:00Z',
    created_before: '9999-01-01T00:00:00Z',
    status: 'delivered',
    event_type: 'payout.settled',
  };
  const redeliver = (name: string, summary: string, more: object = {}) =>
    record.success(name, summary, {
      method: 'POST',
      path: `${base}/deliveries/redeliver`,
      key,
      body: { ...window, ...more },
    });
  await redeliver('dry_run', 'What would be sent', { dry_run: true });
  await redeliver('window', 'The events of some hours again');
  await record.success('again', 'One delivery again', {
    method: 'POST',
    path: `${path}/redeliver`,
    key,
  });
}
