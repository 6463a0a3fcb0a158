import { createHash, randomUUID } from 'node:crypto';
import { toCamelCase } from '../../../rest/http/case.ts';
import { newId } from '../../../src/values/ids.ts';
import { newUlid } from '../../../src/values/ulid.ts';
import { europeanBank } from '../banking.ts';
import { payoutBody } from '../factory.ts';
import { webhookBody, type World } from './world.ts';

type Sample = (world: World) => unknown;

const person = () => ({
  beneficiary_type: 'person',
  email: `${randomUUID()}@example.com`,
  first_name: 'Ada',
  last_name: 'Lovelace',
});

const account = () => ({
  account_holder_name: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routing_code: '021000021',
  account_number: '000123456789',
});

const invite = () => ({
  email: `${randomUUID()}@example.com`,
  beneficiary_type: 'business',
  business_name: 'Matrix Ltd',
});

const registrant = () => ({ email: `${randomUUID()}@example.com`, company_name: 'Matrix Ltd' });
const batchRow = (payee: World['payee']) => {
  const { idempotency_key: _ownKey, ...row } = payoutBody(payee);
  return row;
};
const decision = () => ({ decision_id: newUlid(), status: 'pending_review' });
const reasons = [{ message: 'by the matrix' }];
const redeliveryWindow = {
  created_since: '2026-01-01T00:00:00Z',
  created_before: '9999-01-01T00:00:00Z',
  dry_run: true,
};
const balance = { available_balance_minor: 5, currency: 'USD' };

/** A body that a REST operation accepts, for each that needs one. */
const restBodies: Readonly<Record<string, Sample>> = {
  createBeneficiary: person,
  updateBeneficiary: () => ({ nickname: randomUUID() }),
  registerBankAccount: account,
  updateBankAccount: account,
  register: registrant,
  updateBusinessProfile: () => ({ industry: randomUUID() }),
  updateCollectionBranding: () => ({ color: '#1d4ed8' }),
  setSandboxBalance: () => balance,
  createPayout: ({ payee }) => payoutBody(payee),
  createPayoutsInBulk: ({ payee }) => ({ payouts: [payoutBody(payee)] }),
  createPayoutBatch: ({ payee }) => ({
    name: 'by the matrix',
    idempotency_key: randomUUID(),
    rows: [batchRow(payee)],
  }),
  // The draft of the world has it there already, so it can be sent often.
  addPayoutBatchRows: ({ payee }) => ({ first_row: 1, rows: [batchRow(payee)] }),
  leaveOutPayoutBatchRows: () => ({ rows: [2] }),
  rejectPayout: () => ({ reasons }),
  createDecision: decision,
  inviteBeneficiaries: () => ({ invites: [invite()] }),
  inviteBeneficiariesInBulk: () => ({ rows: [invite()] }),
  simulatePayout: () => ({ event: 'hold' }),
  decideScreeningHit: () => ({ verdict: 'cleared', reason: 'by the matrix' }),
  eraseBeneficiary: () => ({ ground: 'payee_request' }),
  registerWebhookSubscription: () => webhookBody,
  updateWebhookSubscription: () => ({ enabled: true }),
  redeliverWebhooks: () => redeliveryWindow,
};

/** The id of no row. */
const nobody = () => '0198c5b6-0000-7000-8000-000000000000';

/** A value for each GraphQL input type, and for each required argument that is no slot. */
const graphqlValues: Readonly<Record<string, Sample>> = {
  ApiKeyCreateInput: () => ({ role: 'viewer' }),
  BankAccountInput: account,
  BeneficiaryCreateInput: person,
  BeneficiaryUpdateInput: () => ({ nickname: randomUUID() }),
  CollectionBrandingInput: () => ({ color: '#1d4ed8' }),
  CollectionInput: () => ({}),
  CollectionInviteInput: invite,
  BusinessProfileInput: () => ({ industry: randomUUID() }),
  BusinessRegisterInput: registrant,
  DecisionInput: decision,
  DecisionReasonInput: () => reasons[0],
  ExportCreateInput: () => ({ kind: 'transactions' }),
  'nodes ids': ({ payee }) => payee.beneficiaryId,
  PayoutCreateInput: ({ payee }) => payoutBody(payee),
  PayoutBatchRowInput: ({ payee }) => batchRow(payee),
  payoutBatchId: ({ payoutBatchId }) => payoutBatchId,
  'payoutBatchCreate name': () => 'by the matrix',
  'payoutBatchCreate idempotencyKey': () => randomUUID(),
  'payoutBatchRowsAdd firstRow': () => 1,
  'payoutBatchRowsLeaveOut rows': () => 2,
  SandboxBalanceInput: () => balance,
  SandboxBankInput: () => ({ name: 'Bank', currency: 'USD', debtor_name: 'Test Business' }),
  SandboxBankChangeInput: () => ({ connection_id: newId('bankConnection'), version: 1 }),
  PayoutRouteInput: () => ({ connection_id: newId('bankConnection') }),
  ProviderSettingInput: () => ({ name: 'api_key', value: 'sk_test_1' }),
  adapter: () => 'stripe',
  'sandboxProviderConnect name': () => 'Stripe',
  'operatorProviderConnect name': () => 'Stripe',
  'sandboxProviderConnectionChange connectionId': () => newId('bankConnection'),
  'operatorProviderConnectionChange connectionId': () => newId('bankConnection'),
  'payoutStepUpBegin payoutIds': ({ payoutId }) => payoutId,
  CollectionLanguage: () => 'en',
  version: () => 1,
  'operatorBankConnectionChange connectionId': () => newId('bankConnection'),
  ...Object.fromEntries(
    Object.entries(europeanBank).map(([name, value]) => [
      `operatorBankConnect ${name}`,
      () => (Array.isArray(value) ? (value[0] as string) : value),
    ]),
  ),
  SimulatedEvent: () => 'hold',
  OperatorFundingKind: () => 'funding',
  LedgerMode: () => 'reported',
  ErasureGround: () => 'payee_request',
  PayoutResolution: () => 'not_paid',
  PayoutResolutionAnswer: () => 'declined',
  OperatorChangeAnswer: () => 'declined',
  'operatorChangeAnswer changeId': () => newId('proposedChange'),
  'operatorChangeAnswer digest': () => '0'.repeat(64),
  ContradictionFinding: () => 'as_recorded',
  BankBatchOutcome: () => 'not_sent',
  WebhookDeliveriesRedeliverInput: () => redeliveryWindow,
  WebhookSubscriptionUpdateInput: () => ({ enabled: true }),
  WebhookSubscriptionUpsertInput: () => webhookBody,
  Role: () => 'viewer',
  Environment: () => 'sandbox',
  MinorUnits: () => 5,
  'businessSettingsUpdate distinctApprover': () => false,
  'approvalPolicyPropose revision': () => 1,
  'approvalPolicyTrial rules': () => [{ name: 'by the matrix', effect: 'pass' }],
  'approvalPolicyTrialOne rules': () => [{ name: 'by the matrix', effect: 'pass' }],
  'approvalGroupCreate name': () => randomUUID(),
  'approvalGroupChange name': () => randomUUID(),
  'approvalGroupChange id': () => newId('approvalGroup'),
  'approvalChangeConfirm id': () => newId('proposedChange'),
  'approvalChangeDecline id': () => newId('proposedChange'),
  'approvalDelegate to': () => newId('membership'),
  'approvalDelegate beginsAt': () => new Date().toISOString(),
  'approvalDelegate endsAt': () => new Date(Date.now() + 86_400_000).toISOString(),
  'approvalDelegationEnd id': () => newId('approvalDelegation'),
  'screeningHitDecide id': () => newId('screeningHit'),
  'screeningHitDecide reason': () => 'by the matrix',
  'screeningSettingsChange revision': () => 1,
  'screeningSettingsChange maxAgeDays': () => 30,
  'screeningSettingsChange incompleteBlocks': () => false,
  'nameCheckConfirm id': () => newId('nameCheck'),
  'nameCheckConfirm reason': () => 'by the matrix',
  'nameCheckTake id': () => newId('nameCheck'),
  'nameCheckSettingsChange revision': () => 0,
  'nameCheckSettingsChange asks': () => false,
  NameCheckEffect: () => 'show',
  ScreeningVerdict: () => 'cleared',
  Watchlist: () => 'own',
  ApprovalTrialPayoutInput: ({ payee }) => ({
    beneficiary_id: payee.beneficiaryId,
    bank_account_id: payee.bankAccountId,
    amount_minor: 5,
    currency: 'USD',
    purpose_of_payment: 'rent',
  }),
  PayoutApprovalSetInput: ({ payoutId }) => {
    const digest = '0'.repeat(64);
    return {
      items: [{ payout_id: payoutId, digest }],
      totals: [{ currency: 'USD', amount_minor: '999999999999' }],
      digest: createHash('sha256').update(`${digest}\n`).digest('hex'),
    };
  },
  ApprovalRuleInput: () => ({ name: 'by the matrix', effect: 'pass' }),
  'memberInvite email': () => `${randomUUID()}@example.com`,
  'operatorBalanceReport currency': () => 'USD',
  'operatorFundingRecord currency': () => 'USD',
  'operatorFundingRecord source': () => randomUUID(),
  'operatorContradictionExamine evidence': () => 'by the matrix',
  'operatorBankBatchResolve evidence': () => 'by the matrix',
  'operatorBankBatchesClose connectionId': () => newId('bankConnection'),
  batchId: () => newId('bankBatch'),
  'operatorBankConnectionChecks connectionId': () => newId('bankConnection'),
  'providerConnectionCheck connectionId': () => newId('bankConnection'),
  'operatorProviderConnectionCheck connectionId': () => newId('bankConnection'),
  'operatorBankPastBatches connectionId': () => newId('bankConnection'),
  'operatorBankPastFiles connectionId': () => newId('bankConnection'),
  'operatorBankLineCandidates lineId': () => newId('bankLine'),
  month: () => '2026-01',
  'bankBatch id': () => newId('bankBatch'),
  'operatorPayoutResolve evidence': () => 'by the matrix',
  'operatorPayoutResolutionAnswer orderId': nobody,
  'operatorBankFileDismiss fileId': () => newId('bankFile'),
  'operatorProfileDecline explanation': () => 'a document is missing',
  'operatorBankFileDismiss explanation': () => 'a document for people',
  'operatorBankFileReadAgain fileId': () => newId('bankFile'),
  'operatorBankFileTake connectionId': () => newId('bankConnection'),
  'operatorBankFileTake contentBase64': () => Buffer.from('by the matrix').toString('base64'),
  'operatorBankFileTake name': () => 'statement.xml',
  'operatorBankAnswerExplain answerId': () => newId('bankStrayAnswer'),
  'operatorBankAnswerExplain explanation': () => 'a file of another system',
  'operatorBankLineExplain lineId': () => newId('bankLine'),
  'operatorBankLineExplain explanation': () => 'fee',
  'operatorBankLineMatch lineId': () => newId('bankLine'),
  'operatorBankLineMatch subjectId': () => newId('payout'),
  'operatorJobRetry id': () => '9007199254740991',
  'operatorMailResend requestId': nobody,
  OperatorDeadLetterKind: () => 'delivery',
  DateTime: () => '2026-01-01T00:00:00Z',
  task: () => 'delete_expired',
  'operatorFind what': () => newId('payout'),
  'operatorPayout id': () => newId('payout'),
  'payoutSearch text': () => 'Ada',
  'beneficiarySearch text': () => 'Ada',
  'bankAccountSearch text': () => '6789',
  'bankBatchSearch text': ({ batchId }) => batchId,
  'booksChanges since': () => new Date(Date.now() - 3_600_000).toISOString(),
  'booksChanges before': () => null,
  'bankAccountProposalDecline id': () => newId('bankAccountProposal'),
  'bankAccountProposalTake id': () => newId('bankAccountProposal'),
  'viewerNameSet firstName': () => 'Ada',
  'viewerNameSet lastName': () => 'Lovelace',
  'passkeyRegister name': () => 'by the matrix',
  'passkeyRegister response': () => ({}),
  'passkeyRemove id': () => newId('passkey'),
  'sessionRevoke id': () => newId('session'),
  'sessionSwitch businessId': () => newId('business'),
  reason: () => 'by the matrix',
  token: () => 'unknown',
  'corridor country': () => 'US',
  'figures from': () => '2026-01-01',
  'figures to': () => '2026-01-31',
  'providerEventReceive provider': () => 'simulator',
  'providerEventReceive rawBody': () => Buffer.from('{}').toString('base64'),
  'providerEventReceive headers': () => ({}),
};

/** The sample body of a REST operation. Throws for one that needs a body and has no sample. */
export function restBody(operationId: string, needed: boolean, world: World): unknown {
  const sample = restBodies[operationId];
  if (sample !== undefined) return sample(world);
  if (!needed) return {};
  throw new Error(
    `${operationId} has no sample body: add one to restBodies in test/support/matrix/samples.ts`,
  );
}

/** The sample of an input type or of `<field> <argument>`. Throws where there is none. */
export function graphqlValue(names: readonly string[], world: World): unknown {
  for (const name of names) {
    const sample = graphqlValues[name];
    if (sample !== undefined) return toCamelCase(sample(world));
  }
  throw new Error(
    `no sample for ${names.join(' or ')}: add one to graphqlValues in test/support/matrix/samples.ts`,
  );
}
