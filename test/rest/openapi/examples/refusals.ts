import { newId } from '../../../../src/values/ids.ts';
import type { Refusal } from './further-refusals.ts';
import { referenceScenarios } from '../../../matrix/codes/reference-scenarios.ts';
import { payeeScenarios, payoutScenarios } from '../../../matrix/codes/scenarios.ts';
import { makePayee, makeTenant, payoutBody, type TestPayee } from '../../../support/factory.ts';
import type { Harness } from '../../../support/harness.ts';
import { operationOf, operations } from '../../../support/matrix/rest-operations.ts';
import { restBody } from '../../../support/matrix/samples.ts';
import type { World } from '../../../support/matrix/world.ts';
import type { Recorder } from './recorder.ts';

/** Each scenario of the matrix of codes, as its operation refuses it over REST. */
export async function recordScenarios(record: Recorder, harness: Harness): Promise<void> {
  for (const scenario of [...payeeScenarios, ...payoutScenarios, ...referenceScenarios]) {
    const tenant = await makeTenant(harness, scenario.tenant);
    const { rest } = await scenario.make({ harness, tenant });
    const key = scenario.anonymous === true ? undefined : tenant.key;
    const { title } = scenario;
    await record.refusal(title.charAt(0).toUpperCase() + title.slice(1), { ...rest, key });
  }
}

/** An id that nobody has, for each name that a path gives its ids. */
function unknownIds(payee: TestPayee): Readonly<Record<string, string>> {
  return {
    id: newId('beneficiary'),
    accountId: newId('bankAccount'),
    payoutId: newId('payout'),
    deliveryId: newId('webhookDelivery'),
    exportId: newId('export'),
    hitId: newId('screeningHit'),
    requestId: '019a9f00-0000-7000-8000-000000000000',
    documentId: newId('taxDocument'),
    country: 'XX',
    payee: payee.beneficiaryId,
  };
}

/** What is not there: each operation with ids in its path, and the endpoint that nobody registered. */
export async function recordUnknown(record: Recorder, harness: Harness): Promise<void> {
  const { key } = await makeTenant(harness);
  const payee = await makePayee(harness, key);
  const ids = unknownIds(payee);
  for (const row of operations) {
    const isPlain = !row.path.includes(':');
    if (isPlain && !row.errors.includes('not_found')) continue;
    if (row.operationId === 'createPayout') continue;
    const path = row.path.replace(/:(\w+)/g, (_all, name: string) => ids[name] ?? '');
    const needed = row.body !== undefined && !row.body.safeParse({}).success;
    // The sample bodies read nothing of a world but its payee.
    const world = { payee } as World;
    const body = row.body === undefined ? undefined : restBody(row.operationId, needed, world);
    const asked = { method: row.method.toUpperCase(), path, key, body };
    await record.refusal('What nobody has', asked);
  }
}

/** Each of these refusals; fails where another operation or code comes out. */
export async function recordRefusals(
  record: Recorder,
  harness: Harness,
  refusals: readonly Refusal[],
): Promise<void> {
  for (const { operation, code, summary, tenant: options, make } of refusals) {
    const tenant = await makeTenant(harness, options);
    const asked = { ...(await make({ harness, tenant })), key: tenant.key };
    const { body } = await record.refusal(summary, asked);
    const row = operationOf(asked.method, asked.path);
    const refused = `${row?.operationId ?? 'no operation'} ${body.error.code}`;
    if (refused !== `${operation} ${code}`) throw new Error(`${operation} ${code}: ${refused}`);
  }
}

/** What any operation can refuse, shown with the creation of a payout. */
export async function recordCommon(record: Recorder, harness: Harness): Promise<void> {
  const tenant = await makeTenant(harness);
  const payee = await makePayee(harness, tenant.key);
  const asked = { method: 'POST', path: '/v1/payouts', key: tenant.key };
  const body = payoutBody(payee);
  await record.refusal('A body that is no JSON', { ...asked, body: '{' });
  await record.refusal('A field that is missing, and one that is unknown', {
    ...asked,
    body: { ...body, beneficiary_id: undefined, colour: 'blue' },
  });
  await record.refusal('No key', { ...asked, key: undefined, body });
  const viewer = await tenant.keyWithRole('viewer');
  await record.refusal('A key that may only read', { ...asked, key: viewer, body });
  await record.refusal('A body of more than a mebibyte', { ...asked, body: ' '.repeat(1_048_577) });
}

/** What a service with the lowest limits refuses. */
export async function recordLimits(record: Recorder, harness: Harness): Promise<void> {
  const { key } = await makeTenant(harness);
  const asked = { method: 'GET', path: '/v1/payouts', key };
  await harness.rest(asked.method, asked.path, asked);
  await record.refusal('A request beyond the limit', asked);
  const registration = (email: string) => ({
    method: 'POST',
    path: '/v1/registration',
    body: { email, company_name: 'Looms Ltd' },
  });
  const first = registration('first@gmail.com');
  await harness.rest(first.method, first.path, first);
  await record.refusal('A second registration from one address', registration('b@gmail.com'));
  const unknown = { ...asked, key: 'pos_sandbox_unknown' };
  await harness.rest(unknown.method, unknown.path, unknown);
  await record.refusal('A second wrong key from one address', unknown);
}

/** Exports beyond those that may wait at a time. */
export async function recordTooManyExports(record: Recorder, harness: Harness): Promise<void> {
  const headers = { Prefer: 'respond-async' };
  for (const path of [
    '/v1/beneficiaries/export',
    '/v1/reporting/transactions/export',
    '/v1/funding/entries/export',
  ]) {
    const { key } = await makeTenant(harness);
    await harness.rest('GET', path, { key, headers });
    const asked = { method: 'GET', path, key, headers };
    await record.refusal('A second export while the first waits', asked);
  }
}
