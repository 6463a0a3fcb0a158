import type { Operation } from '../../../rest/route/route.ts';
import { dereference, documented, type JsonSchema } from '../../support/matrix/rest-operations.ts';
import type { Target } from '../../support/matrix/world.ts';

/** A place of an input where a caller can name something that may not be theirs. */
export interface Slot {
  /** Where it is: `path.payoutId`, `query.cursor`, `body.payouts[].beneficiary_id`, `filter.payoutId`. */
  readonly place: string;
  readonly path: readonly (string | number)[];
  /** What it points into; `cursor` for a page's cursor. */
  readonly target: Target | 'cursor';
}

const id = (table: string): Target => ({ table, column: 'id' });

/** What an input of a name points into, whatever it is part of; null: it names nothing that is stored. */
const byName: Readonly<Record<string, Target | 'cursor' | null>> = {
  cursor: 'cursor',
  after: 'cursor',
  before: 'cursor',
  account_id: id('bank_account'),
  bank_account_id: id('bank_account'),
  beneficiary_id: id('beneficiary'),
  payout_id: id('payout'),
  payout_ids: id('payout'),
  payout_batch_id: id('payout_batch'),
  replaces_payout_id: { ...id('payout'), own: 'failedPayoutId' },
  delivery_id: id('webhook_delivery'),
  export_id: id('export'),
  request_id: id('collection_request'),
  document_id: id('tax_document'),
  business_id: id('business'),
  membership_id: id('membership'),
  member_id: id('membership'),
  members: id('membership'),
  api_key_id: id('api_key'),
  key_id: id('api_key'),
  contradiction_id: id('provider_contradiction'),
  connection_id: id('bank_connection'),
  batch_id: id('bank_batch'),
  file_id: id('bank_file'),
  line_id: id('bank_line'),
  answer_id: id('bank_stray_answer'),
  hit_id: id('screening_hit'),
  idempotency_key: { table: 'payout', column: 'idempotency_key' },
  external_ref: { table: 'payout', column: 'external_ref' },
  decision_id: { table: 'payout_decision', column: 'decision_id' },
  email: { table: 'beneficiary', column: 'email' },
  tax_id: null,
  // Numbers that a bank gave out.
  initiator_id: null,
  origin_id: null,
  company_id: null,
  // The fingerprint of a server's key, and a key of a file.
  host_key: null,
  private_key: null,
  pix_key: null,
};

/** What a bare `id` points into, by the noun of its path or its operation. */
const byNoun: Readonly<Record<string, string>> = {
  beneficiaries: 'beneficiary',
  beneficiary: 'beneficiary',
  payouts: 'payout',
  payout: 'payout',
  'payout-batches': 'payout_batch',
  'bank-accounts': 'bank_account',
  bankAccount: 'bank_account',
  bankBatch: 'bank_batch',
  bankAccountProposalTake: 'bank_account_proposal',
  bankAccountProposalDecline: 'bank_account_proposal',
  deliveries: 'webhook_delivery',
  webhookDelivery: 'webhook_delivery',
  events: 'event',
  event: 'event',
  collectionRequestCancel: 'collection_request',
  taxDocument: 'tax_document',
  export: 'export',
  apiKey: 'api_key',
  apiKeyConfirm: 'api_key',
  membership: 'membership',
  member: 'membership',
  memberInvitationSend: 'membership',
  approvalGroupChange: 'approval_group',
  approvalChangeConfirm: 'proposed_change',
  approvalChangeDecline: 'proposed_change',
  bankAccountNameCheck: 'bank_account',
  nameCheckConfirm: 'name_check',
  nameCheckTake: 'name_check',
  screeningHit: 'screening_hit',
  approvalDelegationEnd: 'approval_delegation',
  screeningHitDecide: 'screening_hit',
  business: 'business',
};

/** Single inputs that are not what their name says elsewhere. */
const byPlace: Readonly<Record<string, Target | null>> = {
  // Unique over all businesses, and the interface says so: EMAIL_ALREADY_REGISTERED.
  'register email': null,
  'businessRegister email': null,
  // A person may be a member of several businesses, and none learns of the others.
  'memberInvite email': { table: 'app_user', column: 'email_key' },
  // Excludes an address, which the samples have; test/rest/collection-invites.test.ts tries it.
  'inviteBeneficiaries beneficiary_id': null,
  'collectionInvite beneficiary_id': null,
  'collectionInviteBulk beneficiary_id': null,
  // Of a person and not of a business: test/rest/auth/session.test.ts and test/browser/passkeys.test.ts try them.
  'sessionRevoke id': null,
  'sessionSwitch business_id': null,
  'passkeyRemove id': null,
  // Of a session alone: test/domain/step-up/approve.test.ts tries it.
  'payoutStepUpBegin payout_ids': null,
  // Of the business of the token, and only named to go on: test/rest/registration-proof.test.ts tries them.
  'registrationProve key_ids': null,
  'registrationProve membership_ids': null,
  // What the provider calls it: a value, and no row of ours.
  'operatorPayoutResolve provider_payout_id': null,
  // A line of the operators' log, which no business sees; test/graphql/operator-confirmations.test.ts tries it.
  'operatorPayoutResolutionAnswer order_id': null,
  // Of operators alone; test/graphql/proposed-change-answers.test.ts tries those of another business.
  'operatorChangeAnswer change_id': null,
  // A payout or a batch.
  'operatorBankLineMatch subject_id': id('payout'),
  // Of operators alone, who see every business; test/graphql/operator-queue.test.ts tries them.
  'operatorActions subject_id': null,
  'operatorFind what': null,
  'operatorJobs subject_id': null,
  'operatorPayout id': null,
  'operatorJobRetry id': null,
  'operatorJobSchedule subject_id': null,
  'operatorMailResend request_id': null,
  'createPayoutBatch idempotency_key': { table: 'payout_batch', column: 'idempotency_key' },
  'payoutBatchCreate idempotency_key': { table: 'payout_batch', column: 'idempotency_key' },
  // Of the metadata of payouts: a value.
  'approvalPolicyDraftSave key': null,
  'approvalPolicyTrial key': null,
  'approvalPolicyTrialOne key': null,
  // A place among the payouts by their ids, which tells nothing of what has the id.
  'approvalPolicyTrial after': null,
  // Under a policy alone: test/domain/approval-policy/delegation.test.ts tries it.
  'approvalDelegate to': null,
  // Values that many payouts have, of every business.
  'payouts currency': null,
  'payouts provider': null,
  'payouts failure_code': null,
  'payouts payee_name': null,
  'payoutSums currency': null,
  'payoutSums provider': null,
  'payoutSums failure_code': null,
  'payoutSums payee_name': null,
  // Types that the interface names.
  'events type': null,
  'listEvents type': null,
  // Only a payout that was approved has entries.
  'listLedgerEntries payout_id': { ...id('payout'), own: 'failedPayoutId' },
  'ledgerEntries payout_id': { ...id('payout'), own: 'failedPayoutId' },
  'exportLedgerEntries payout_id': { ...id('payout'), own: 'failedPayoutId' },
  // Only the events of a payout that moved are delivered.
  'listWebhookDeliveries payout_id': { ...id('payout'), own: 'failedPayoutId' },
  'webhookDeliveries payout_id': { ...id('payout'), own: 'failedPayoutId' },
  'redeliverWebhooks payout_id': { ...id('payout'), own: 'failedPayoutId' },
  'webhookDeliveriesRedeliver payout_id': { ...id('payout'), own: 'failedPayoutId' },
};

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Names that point at something by their form; any other input of a body is a value. */
const pointing = /(^|_)(id|ids|key|keys|ref|cursor|email)$|^(after|before)$/;

/**
 * What an input points into; undefined for a plain value.
 * @param noun what the operation is about, for a bare `id`
 * @param asked whether the input is a filter, each of which has to be known
 */
export function targetOf(
  owner: string,
  noun: string,
  name: string,
  asked: boolean,
): Target | 'cursor' | undefined {
  const key = snake(name);
  const special = byPlace[`${owner} ${key}`];
  if (special !== undefined) return special ?? undefined;
  if (key === 'id' && byNoun[noun] !== undefined) return id(byNoun[noun]);
  const known = byName[key];
  if (known !== undefined) return known ?? undefined;
  if (!asked && !pointing.test(key)) return undefined;
  throw new Error(
    `${owner}: what does "${name}" point into? Say it in test/matrix/support/slots.ts (byName, byNoun for an id of "${noun}", or byPlace; null for a value that names nothing stored).`,
  );
}

/** Filters that choose by a value which is no reference, and so need no entry. */
const plainFormats = new Set(['date-time', 'date']);
const plainFilters = new Set(['limit', 'first', 'last', 'country', 'event_type']);

function isPlain(name: string, given: JsonSchema): boolean {
  const schema = dereference(given);
  if (plainFilters.has(name) || schema.enum !== undefined) return true;
  if (schema.items !== undefined) return isPlain(name, schema.items);
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (parts !== undefined) return parts.every((part) => isPlain(name, part));
  return schema.type !== 'string' || plainFormats.has(schema.format ?? '');
}

function* bodyFields(
  given: JsonSchema,
  path: readonly (string | number)[],
): Iterable<{ path: readonly (string | number)[]; name: string; schema: JsonSchema }> {
  const schema = dereference(given);
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    yield* bodyFields(part, path);
  }
  if (schema.items !== undefined) yield* bodyFields(schema.items, [...path, 0]);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield { path: [...path, name], name, schema: property };
    yield* bodyFields(property, [...path, name]);
  }
}

function placeOf(where: string, path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[]` : `${text}.${part}`),
    where,
  );
}

/** Every slot of a REST operation: its path, its query, its body. Throws for one that nobody declared. */
export function restSlots(row: Operation): Slot[] {
  const { parameters = [], requestBody } = documented(row);
  const slots = new Map<string, Slot>();
  const add = (where: string, path: readonly (string | number)[], target: Slot['target']) => {
    const place = placeOf(where, path);
    slots.set(place, { place, path: [where, ...path], target });
  };
  for (const { name, in: where, schema } of parameters) {
    if (where === 'header' || (where === 'path' ? name === 'country' : isPlain(name, schema))) {
      continue;
    }
    const noun = row.path.split('/').at(row.path.split('/').indexOf(`:${name}`) - 1) ?? '';
    const target = targetOf(row.operationId, noun, name, true);
    if (target !== undefined) add(where, [name], target);
  }
  for (const { schema } of Object.values(requestBody?.content ?? {})) {
    for (const { path, name, schema: field } of bodyFields(schema, [])) {
      if (dereference(field).properties !== undefined) continue;
      const target = targetOf(row.operationId, '', name, false);
      if (target !== undefined) add('body', path, target);
    }
  }
  return [...slots.values()];
}
