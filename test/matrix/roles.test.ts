import { beforeAll, describe, expect, it } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { graphqlAttempt, restAttempt, type Attempted } from './support/attempt.ts';
import { graphqlOperations } from './support/graphql-operations.ts';
import { operations } from '../support/matrix/rest-operations.ts';
import { makeWorld, type World } from '../support/matrix/world.ts';
import { sessionLike } from '../support/sessions.ts';
import { useHarness } from '../support/use-harness.ts';

const roles = ['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'] as const;
type Role = (typeof roles)[number];

/** The table of roles, written down once more: what is tested does not say what is right. */
const may = {
  'read and export': ['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'],
  payees: ['owner', 'admin', 'preparer'],
  'create and cancel payouts': ['owner', 'admin', 'preparer'],
  'decide on payouts': ['owner', 'admin', 'approver'],
  webhooks: ['owner', 'admin', 'developer'],
  'business and sandbox': ['owner', 'admin', 'developer'],
  'keys and members': ['owner', 'admin'],
  'export a payee': ['owner', 'admin'],
  'banks and routes': ['owner', 'admin'],
  'erase a payee': ['owner'],
  'have a payout judged anew': ['owner'],
  'vouch for passkeys': ['owner'],
  'platform operators alone': [],
  // Of a person and their sessions. A session has it, whatever the role.
  'signed in': [],
  // Its credential is something else than a key: none, or a link's token.
  anybody: roles,
  // For a document of the service's own alone.
  nobody: [],
} as const satisfies Record<string, readonly Role[]>;
type Right = keyof typeof may;

/** What each command needs. A read needs the right to read, so only other operations stand here. */
const restRights: Readonly<Record<string, Right>> = {
  createBeneficiary: 'payees',
  updateBeneficiary: 'payees',
  archiveBeneficiary: 'payees',
  acknowledgeBeneficiary: 'payees',
  enrollBeneficiary: 'payees',
  eraseBeneficiary: 'erase a payee',
  exportPersonalData: 'export a payee',
  registerBankAccount: 'payees',
  inviteBeneficiaries: 'payees',
  inviteBeneficiariesInBulk: 'payees',
  cancelCollectionRequest: 'payees',
  updateBankAccount: 'payees',
  verifyBankAccount: 'payees',
  register: 'anybody',
  updateBusinessProfile: 'business and sandbox',
  updateCollectionBranding: 'business and sandbox',
  setSandboxBalance: 'business and sandbox',
  createPayout: 'create and cancel payouts',
  createPayoutsInBulk: 'create and cancel payouts',
  createPayoutBatch: 'create and cancel payouts',
  addPayoutBatchRows: 'create and cancel payouts',
  leaveOutPayoutBatchRows: 'create and cancel payouts',
  checkPayoutBatch: 'create and cancel payouts',
  submitPayoutBatch: 'create and cancel payouts',
  cancelPayoutBatch: 'create and cancel payouts',
  cancelPayout: 'create and cancel payouts',
  simulatePayout: 'create and cancel payouts',
  approvePayout: 'decide on payouts',
  rejectPayout: 'decide on payouts',
  createDecision: 'decide on payouts',
  decideScreeningHit: 'decide on payouts',
  registerWebhookSubscription: 'webhooks',
  updateWebhookSubscription: 'webhooks',
  deleteWebhookSubscription: 'webhooks',
  testWebhookSubscription: 'webhooks',
  redeliverWebhook: 'webhooks',
  redeliverWebhooks: 'webhooks',
};

const mutationRights: Readonly<Record<string, Right>> = {
  apiKeyCreate: 'keys and members',
  apiKeyConfirm: 'keys and members',
  apiKeyRevoke: 'keys and members',
  approvalPolicyDraftSave: 'keys and members',
  approvalPolicyPropose: 'keys and members',
  approvalGroupCreate: 'keys and members',
  approvalGroupChange: 'keys and members',
  approvalChangeConfirm: 'keys and members',
  approvalChangeDecline: 'keys and members',
  approvalDelegate: 'decide on payouts',
  approvalDelegationEnd: 'decide on payouts',
  payoutSetApprove: 'decide on payouts',
  payoutBatchCreate: 'create and cancel payouts',
  payoutBatchRowsAdd: 'create and cancel payouts',
  payoutBatchRowsLeaveOut: 'create and cancel payouts',
  payoutBatchCheck: 'create and cancel payouts',
  payoutBatchSubmit: 'create and cancel payouts',
  payoutBatchCancel: 'create and cancel payouts',
  payoutApprovalReevaluate: 'have a payout judged anew',
  screeningHitDecide: 'decide on payouts',
  bankAccountNameCheck: 'payees',
  nameCheckConfirm: 'decide on payouts',
  nameCheckTake: 'payees',
  nameCheckSettingsChange: 'keys and members',
  screeningSettingsChange: 'keys and members',
  memberAccept: 'anybody',
  memberJoin: 'anybody',
  registrationProve: 'anybody',
  memberSessionsRevoke: 'keys and members',
  memberInvite: 'keys and members',
  memberInvitationSend: 'keys and members',
  memberRemove: 'keys and members',
  memberRoleChange: 'keys and members',
  bankAccountProposalDecline: 'payees',
  bankAccountProposalTake: 'payees',
  bankAccountRegister: 'payees',
  bankAccountUpdate: 'payees',
  bankAccountVerify: 'payees',
  beneficiaryAcknowledge: 'payees',
  beneficiaryArchive: 'payees',
  beneficiaryCreate: 'payees',
  beneficiaryEnroll: 'payees',
  beneficiaryErase: 'erase a payee',
  beneficiaryPersonalDataExport: 'export a payee',
  beneficiaryUpdate: 'payees',
  businessProfileUpdate: 'business and sandbox',
  businessRegister: 'anybody',
  businessSettingsUpdate: 'keys and members',
  collectionBrandingUpdate: 'business and sandbox',
  collectionInvite: 'payees',
  collectionInviteBulk: 'payees',
  collectionRequestCancel: 'payees',
  collectionSave: 'anybody',
  collectionSubmit: 'anybody',
  exportCreate: 'read and export',
  operatorBankConnect: 'platform operators alone',
  operatorProviderConnect: 'platform operators alone',
  operatorProviderConnectionChange: 'platform operators alone',
  operatorBankConnectionChange: 'platform operators alone',
  operatorRoutesReplace: 'platform operators alone',
  operatorChangeAnswer: 'platform operators alone',
  operatorBalanceReport: 'platform operators alone',
  operatorBankBatchDownload: 'platform operators alone',
  operatorBankBatchResolve: 'platform operators alone',
  operatorBankBatchUploaded: 'platform operators alone',
  operatorBankBatchesClose: 'platform operators alone',
  operatorBankFileTake: 'platform operators alone',
  operatorBankFileDismiss: 'platform operators alone',
  operatorBankFileReadAgain: 'platform operators alone',
  operatorBankLineExplain: 'platform operators alone',
  operatorBankAnswerExplain: 'platform operators alone',
  operatorBankLineMatch: 'platform operators alone',
  operatorBeneficiaryErase: 'platform operators alone',
  operatorBeneficiaryReinstate: 'platform operators alone',
  operatorBeneficiarySuspend: 'platform operators alone',
  operatorContradictionExamine: 'platform operators alone',
  operatorDeliveriesReplay: 'platform operators alone',
  operatorFundingModeSet: 'platform operators alone',
  operatorFundingRecord: 'platform operators alone',
  operatorJobRetry: 'platform operators alone',
  operatorJobSchedule: 'platform operators alone',
  operatorMailResend: 'platform operators alone',
  operatorMemberInvitationSend: 'platform operators alone',
  operatorPayoutLookUp: 'platform operators alone',
  operatorPayoutResolutionAnswer: 'platform operators alone',
  operatorPayoutResolve: 'platform operators alone',
  operatorProductionKeyIssue: 'platform operators alone',
  operatorProfileAccept: 'platform operators alone',
  operatorProfileDecline: 'platform operators alone',
  memberPasskeysVouch: 'vouch for passkeys',
  otherSessionsRevoke: 'signed in',
  viewerNameSet: 'signed in',
  passkeyRegister: 'signed in',
  passkeyRegistrationOptions: 'signed in',
  passkeyRemove: 'signed in',
  operatorTaskPause: 'platform operators alone',
  operatorTaskResume: 'platform operators alone',
  payoutApprove: 'decide on payouts',
  payoutBulkApprove: 'decide on payouts',
  payoutBulkCreate: 'create and cancel payouts',
  payoutBulkReject: 'decide on payouts',
  payoutCancel: 'create and cancel payouts',
  payoutCreate: 'create and cancel payouts',
  payoutDecide: 'decide on payouts',
  payoutReject: 'decide on payouts',
  payoutStepUpBegin: 'decide on payouts',
  payoutSimulate: 'create and cancel payouts',
  providerEventReceive: 'nobody',
  sandboxBankConnect: 'banks and routes',
  sandboxProviderConnect: 'banks and routes',
  sandboxProviderConnectionChange: 'banks and routes',
  sandboxBankChange: 'banks and routes',
  sandboxRoutesReplace: 'banks and routes',
  sandboxBalanceSet: 'business and sandbox',
  sessionRevoke: 'signed in',
  sessionSwitch: 'signed in',
  viewerLanguageChange: 'signed in',
  webhookDeliveryRedeliver: 'webhooks',
  webhookDeliveriesRedeliver: 'webhooks',
  webhookSubscriptionDelete: 'webhooks',
  webhookSubscriptionUpdate: 'webhooks',
  webhookSubscriptionUpsert: 'webhooks',
  webhookTest: 'webhooks',
};

/** The reads that need another right than to read. */
const queryRights: Readonly<Record<string, Right>> = {
  approvalPolicyTrial: 'keys and members',
  approvalPolicyTrialOne: 'keys and members',
  payoutApprovalSet: 'decide on payouts',
  memberSessions: 'keys and members',
  passkeys: 'signed in',
  providerConnectionCheck: 'banks and routes',
  sessions: 'signed in',
  viewer: 'signed in',
};

interface Row {
  readonly name: string;
  readonly right: Right | undefined;
  readonly attempt: () => Attempted;
}

const rest: Row[] = operations.map((row) => ({
  name: row.operationId,
  right: restRights[row.operationId] ?? (row.method === 'get' ? 'read and export' : undefined),
  attempt: () => restAttempt(harness, row),
}));
const queryRight = (name: string): Right =>
  queryRights[name] ??
  (name.startsWith('operator') ? 'platform operators alone' : 'read and export');
const graphql: Row[] = graphqlOperations
  .filter(({ name }) => name !== 'node')
  .map((operation) => ({
    name: operation.name,
    right:
      mutationRights[operation.name] ??
      (operation.kind === 'query' ? queryRight(operation.name) : undefined),
    attempt: () => graphqlAttempt(harness, operation),
  }));
let world: World;
const keys = new Map<Role, string>();
const sessions = new Map<Role, string>();
const actors = new Map<Role, Record<string, string>>();

const harness = useHarness({ bank: 'folder' });

beforeAll(async () => {
  const tenant = await makeTenant(harness);
  world = await makeWorld(harness, tenant, { failed: false });
  for (const role of roles) {
    const key = await tenant.keyWithRole(role);
    keys.set(role, key);
    sessions.set(role, await sessionLike(harness, key));
    const { rows } = await harness.database.pool.query<Record<string, string>>(
      `SELECT m.user_id, m.id AS membership_id, k.role, 'sandbox' AS environment
       FROM api_key k JOIN membership m ON m.id = k.membership_id
       WHERE k.id = 'key_' || split_part($1, '_', 3)`,
      [key],
    );
    actors.set(role, rows[0] ?? {});
  }
});

/** The caller's world with nothing else than a credential of their own: what is named does not exist. */
const asRole = (role: Role, credentials = keys): World => ({
  ...world,
  key: credentials.get(role) ?? '',
});

/** Ids that name nothing, so that what is allowed still changes as little as possible. */
const nothing = (attempted: Attempted) =>
  attempted.slots
    .filter(({ path }) => path[0] === 'path' || path.length === 1)
    .filter(({ target }) => target !== 'cursor' && target.column === 'id')
    .map(({ path }) => ({ path, value: 'nothing' }));

it('knows the right that each command needs', () => {
  const missing = [...rest, ...graphql].filter(({ right }) => right === undefined);
  expect(
    missing.map(({ name }) => name),
    'add them to restRights or mutationRights in test/matrix/roles.test.ts, from the table of roles',
  ).toEqual([]);
  const names = new Set([...rest, ...graphql].map(({ name }) => name));
  const stale = Object.keys({ ...restRights, ...mutationRights }).filter(
    (name) => !names.has(name),
  );
  expect(stale, 'there is no such operation any more').toEqual([]);
});

describe('REST', () => {
  it.each(rest)('$name', async ({ right, attempt }) => {
    const attempted = attempt();
    for (const role of roles) {
      const answer = await attempted.call(asRole(role), nothing(attempted));
      const allowed = (may[right ?? 'platform operators alone'] as readonly Role[]).includes(role);
      if (allowed) {
        expect([401, 403], `${role}: ${answer.text}`).not.toContain(answer.status);
        expect(answer.status, answer.text).toBeLessThan(500);
        continue;
      }
      expect([role, answer.status, answer.body?.error?.code]).toEqual([role, 403, 'forbidden']);
      expect(answer.body.error.actor).toEqual(actors.get(role));
    }
  });

  it.each(rest)('$name without a key', async ({ right, attempt }) => {
    const attempted = attempt();
    const answer = await attempted.call({ ...world, key: '' }, nothing(attempted));
    if (right === 'anybody') expect(answer.status).toBeLessThan(400);
    else {
      expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
      expect(answer.body.error.actor).toBeNull();
    }
  });
});

/** Reads that need no key; of a collection form the token is the credential. */
const keyless = ['corridor', 'purposesOfPayment', 'collectionForm', 'registrationProof'];

/** A token that leads nowhere is refused whoever shows it. */
const tokenMutations = new Set([
  'mutation collectionSave',
  'mutation collectionSubmit',
  'mutation memberAccept',
  'mutation memberJoin',
  'mutation registrationProve',
]);

describe.each([
  ['a key', keys],
  ['a session', sessions],
])('GraphQL with %s', (_credential, credentials) => {
  it.each(graphql)('$name', async ({ right, attempt }) => {
    const attempted = attempt();
    for (const role of roles) {
      const answer = await attempted.call(asRole(role, credentials), nothing(attempted));
      const code = answer.body.errors?.[0]?.extensions?.code;
      const allowed =
        (may[right ?? 'platform operators alone'] as readonly Role[]).includes(role) ||
        (right === 'signed in' && credentials === sessions);
      const silent = Object.values((answer.body.data ?? {}) as object).every((v) => v === null);
      if (!allowed) expect([role, code, silent]).toEqual([role, 'forbidden', true]);
      else {
        expect(['forbidden', 'unauthorized', 'internal_error', 'bad_request']).not.toContain(code);
      }
    }
  });
});

describe('GraphQL', () => {
  it.each(graphql)('$name without a key', async ({ right, attempt }) => {
    const attempted = attempt();
    const answer = await attempted.call({ ...world, key: '' }, nothing(attempted));
    const code = answer.body.errors?.[0]?.extensions?.code;
    if (tokenMutations.has(attempted.name)) expect(code).toBe('not_found');
    else if (right === 'anybody') expect(code).toBeUndefined();
    else if (right === 'nobody') expect(code).toBe('forbidden');
    else if (!keyless.some((name) => attempted.name.endsWith(name))) {
      expect(code).toBe('unauthorized');
    }
  });
});
