import type { ErrorCode } from '../../../../src/errors/catalogue.ts';
import { newId } from '../../../../src/values/ids.ts';
import { newUlid } from '../../../../src/values/ulid.ts';
import { setRoutes } from '../../../support/banking.ts';
import { person } from '../../../support/beneficiaries.ts';
import * as commands from '../../../matrix/codes/commands.ts';
import {
  account,
  beneficiary,
  demandPasskey,
  done,
  enforce,
  failedPayout,
  payee,
  payout,
  set,
  type Place,
} from '../../../matrix/codes/place.ts';
import { payoutBody } from '../../../support/factory.ts';

type Request = commands.Command['rest'];

/** A request that an operation refuses, besides those of the matrix of codes. */
export interface Refusal {
  readonly operation: string;
  readonly code: ErrorCode;
  readonly summary: string;
  readonly tenant?: { readonly environment?: 'production'; readonly funded?: false };
  readonly make: (place: Place) => Promise<Request>;
}

const wrongIban = { country: 'DE', currency: 'EUR', iban: 'DE88370400440532013000' };
const holder = { account_holder_name: 'Ada Lovelace' };

async function archived(place: Place) {
  const of = await payee(place);
  await done(place, commands.archive(of.beneficiaryId));
  return of;
}

/** A payout that replaces a failed one, of which a provider said something else since. */
async function doubtfulReplacement(place: Place): Promise<string> {
  const { id, of } = await failedPayout(place);
  const replacement = await payout(place, of, { replaces_payout_id: id });
  await place.harness.database.pool.query(
    `INSERT INTO provider_contradiction (tenant_id, subject_id, payout_id, provider, kind, said, expected, source)
     VALUES ($1, $2, $3, 'simulator', 'reference', 'another', 'its own', 'event')`,
    [place.tenant.tenantId, newId('disbursementAttempt'), id],
  );
  return replacement.id;
}

/** A payout whose account got another number. */
async function toChangedAccount(place: Place): Promise<string> {
  const of = await payee(place);
  const { id } = await payout(place, of);
  const details = account({ account_number: '000999999999' });
  await done(place, commands.updateAccount(of.beneficiaryId, of.bankAccountId, details));
  return id;
}

async function canceled(place: Place): Promise<string> {
  const { id } = await payout(place);
  await done(place, commands.cancel(id));
  return id;
}

/** The request of a decision. */
const decide = (payoutId: string, body: object = {}): Request => ({
  method: 'POST',
  path: `/v1/payouts/${payoutId}/decisions`,
  body: { decision_id: newUlid(), status: 'approved', ...body },
});

/** A payout with a recorded review, and the id of that decision. */
async function reviewed(place: Place): Promise<{ id: string; decision_id: string }> {
  const { id } = await payout(place);
  const decision_id = newUlid();
  const { method, path, body } = decide(id, { decision_id, status: 'pending_review' });
  await place.harness.rest(method, path, { key: place.tenant.key, body });
  return { id, decision_id };
}

export const payeeRefusals: readonly Refusal[] = [
  {
    operation: 'enrollBeneficiary',
    code: 'PAYOUT_ROUTE_MISSING',
    summary: 'An account to which no route leads',
    make: async (place) => {
      await setRoutes(place.harness, place.tenant, 0, [{ provider: 'simulator', currency: 'EUR' }]);
      return commands.enroll((await payee(place)).beneficiaryId).rest;
    },
  },
  {
    operation: 'createBeneficiary',
    code: 'BENEFICIARY_IDENTITY_INCOMPLETE',
    summary: 'A person without a last name',
    make: async () => commands.createBeneficiary(person({ last_name: null })).rest,
  },
  {
    operation: 'createBeneficiary',
    code: 'BANK_ACCOUNT_VALIDATION_FAILED',
    summary: 'bank_details with a wrong checksum',
    make: async () =>
      commands.createBeneficiary(person({ bank_details: { ...holder, ...wrongIban } })).rest,
  },
  {
    operation: 'updateBeneficiary',
    code: 'BENEFICIARY_ARCHIVED',
    summary: 'A change of an archived beneficiary',
    make: async (place) =>
      commands.updateBeneficiary((await archived(place)).beneficiaryId, { nickname: 'A' }).rest,
  },
  {
    operation: 'updateBeneficiary',
    code: 'BENEFICIARY_IDENTITY_INVALID',
    summary: 'A registration number for a person',
    make: async (place) =>
      commands.updateBeneficiary(await beneficiary(place), { registration_number: '1' }).rest,
  },
  {
    operation: 'updateBeneficiary',
    code: 'BENEFICIARY_IDENTITY_INCOMPLETE',
    summary: 'A person whose last name is cleared',
    make: async (place) =>
      commands.updateBeneficiary(await beneficiary(place), { last_name: null }).rest,
  },
  {
    operation: 'updateBeneficiary',
    code: 'BENEFICIARY_EMAIL_ALREADY_EXISTS',
    summary: 'The address of another beneficiary',
    make: async (place) => {
      await beneficiary(place, person({ email: 'taken@example.com' }));
      const id = await beneficiary(place);
      return commands.updateBeneficiary(id, { email: 'taken@example.com' }).rest;
    },
  },
  {
    operation: 'acknowledgeBeneficiary',
    code: 'BENEFICIARY_ARCHIVED',
    summary: 'An archived beneficiary',
    make: async (place) => commands.acknowledge((await archived(place)).beneficiaryId).rest,
  },
  {
    operation: 'acknowledgeBeneficiary',
    code: 'conflict',
    summary: 'A suspended beneficiary',
    make: async (place) => {
      const id = await beneficiary(place);
      const suspended = `compliance_status = 'suspended', status_before_suspension = 'pending'`;
      await set(place, 'beneficiary', id, suspended);
      return commands.acknowledge(id).rest;
    },
  },
  {
    operation: 'enrollBeneficiary',
    code: 'BENEFICIARY_ARCHIVED',
    summary: 'An archived beneficiary',
    make: async (place) => commands.enroll((await archived(place)).beneficiaryId).rest,
  },
  {
    operation: 'enrollBeneficiary',
    code: 'BENEFICIARY_NOT_COMPLIANT',
    summary: 'A beneficiary that was never acknowledged',
    make: async (place) =>
      commands.enroll((await payee(place, { acknowledged: false })).beneficiaryId).rest,
  },
  {
    operation: 'enrollBeneficiary',
    code: 'BANK_ACCOUNT_NOT_FOUND',
    summary: 'An account that nobody has',
    make: async (place) =>
      commands.enroll((await payee(place)).beneficiaryId, newId('bankAccount')).rest,
  },
  {
    operation: 'enrollBeneficiary',
    code: 'BANK_ACCOUNT_BENEFICIARY_MISMATCH',
    summary: 'The account of another beneficiary',
    make: async (place) => {
      const { bankAccountId } = await payee(place);
      return commands.enroll((await payee(place)).beneficiaryId, bankAccountId).rest;
    },
  },
  {
    operation: 'enrollBeneficiary',
    code: 'BENEFICIARY_ENROLLMENT_FAILED',
    summary: 'An account that the rail refuses',
    make: async (place) =>
      commands.enroll((await payee(place, { accountNumber: '000123450004' })).beneficiaryId).rest,
  },
  {
    operation: 'registerBankAccount',
    code: 'BANK_ACCOUNT_VALIDATION_FAILED',
    summary: 'An IBAN with a wrong checksum',
    make: async (place) =>
      commands.registerAccount(await beneficiary(place), { ...holder, ...wrongIban }).rest,
  },
  {
    operation: 'updateBankAccount',
    code: 'BENEFICIARY_ARCHIVED',
    summary: 'An account of an archived beneficiary',
    make: async (place) => {
      const { beneficiaryId, bankAccountId } = await archived(place);
      return commands.updateAccount(beneficiaryId, bankAccountId, account()).rest;
    },
  },
  {
    operation: 'updateBankAccount',
    code: 'BANK_ACCOUNT_MISSING_ROUTING',
    summary: 'Details without an identifier',
    make: async (place) => {
      const { beneficiaryId, bankAccountId } = await payee(place);
      const details = { ...holder, country: 'US', currency: 'USD' };
      return commands.updateAccount(beneficiaryId, bankAccountId, details).rest;
    },
  },
  {
    operation: 'updateBankAccount',
    code: 'BANK_ACCOUNT_NOT_FOUND',
    summary: 'An account that nobody has',
    make: async (place) =>
      commands.updateAccount(await beneficiary(place), newId('bankAccount'), account()).rest,
  },
  {
    operation: 'verifyBankAccount',
    code: 'BENEFICIARY_ARCHIVED',
    summary: 'An account of an archived beneficiary',
    make: async (place) => {
      const { beneficiaryId, bankAccountId } = await payee(place);
      await set(place, 'bank_account', bankAccountId, `status = 'pending_verification'`);
      await done(place, commands.archive(beneficiaryId));
      return commands.verifyAccount(beneficiaryId, bankAccountId).rest;
    },
  },
  {
    operation: 'verifyBankAccount',
    code: 'BANK_ACCOUNT_NOT_VALIDATED',
    summary: 'A UK account without its IBAN',
    make: async (place) => {
      const { beneficiaryId: owner } = await payee(place);
      const numbers = { country: 'GB', currency: 'GBP', routing_code: '200000' };
      const details = { ...holder, ...numbers, account_number: '55779911' };
      const id = await done(place, commands.registerAccount(owner, details));
      return commands.verifyAccount(owner, id).rest;
    },
  },
  {
    operation: 'verifyBankAccount',
    code: 'BANK_ACCOUNT_RAIL_REJECTED',
    summary: 'An account that the rail refused',
    make: async (place) => {
      const { beneficiaryId, bankAccountId } = await payee(place);
      await set(place, 'bank_account', bankAccountId, `rail_rejection_reason = 'Account closed'`);
      return commands.verifyAccount(beneficiaryId, bankAccountId).rest;
    },
  },
  {
    operation: 'verifyBankAccount',
    code: 'BANK_ACCOUNT_NOT_FOUND',
    summary: 'An account that nobody has',
    make: async (place) =>
      commands.verifyAccount(await beneficiary(place), newId('bankAccount')).rest,
  },
];

export const payoutRefusals: readonly Refusal[] = [
  {
    operation: 'createPayout',
    code: 'not_found',
    summary: 'A beneficiary that nobody has',
    make: async (place) =>
      commands.createPayout(
        payoutBody({ ...(await payee(place)), beneficiaryId: newId('beneficiary') }),
      ).rest,
  },
  {
    operation: 'createPayout',
    code: 'BENEFICIARY_ARCHIVED',
    summary: 'An archived beneficiary',
    make: async (place) => commands.createPayout(payoutBody(await archived(place))).rest,
  },
  {
    operation: 'createPayout',
    code: 'unprocessable_entity',
    summary: 'Another currency than that of the account',
    make: async (place) =>
      commands.createPayout(payoutBody(await payee(place), { currency: 'EUR' })).rest,
  },
  {
    operation: 'approvePayout',
    code: 'IDEMPOTENCY_KEY_REUSED',
    summary: 'The id of another decision',
    make: async (place) => {
      const { id, decision_id } = await reviewed(place);
      return { ...commands.approve(id).rest, body: { decision_id } };
    },
  },
  {
    operation: 'approvePayout',
    code: 'PREDECESSOR_NOT_REPLACEABLE',
    summary: 'A replacement of a payout that may have been paid',
    make: async (place) => commands.approve(await doubtfulReplacement(place)).rest,
  },
  {
    operation: 'rejectPayout',
    code: 'INVALID_STATE_TRANSITION',
    summary: 'A canceled payout',
    make: async (place) => commands.reject(await canceled(place), [{ message: 'Too late.' }]).rest,
  },
  {
    operation: 'rejectPayout',
    code: 'IDEMPOTENCY_KEY_REUSED',
    summary: 'The id of another decision',
    make: async (place) => {
      const { id, decision_id } = await reviewed(place);
      const body = { decision_id, reasons: [{ message: 'Another one.' }] };
      return { ...commands.reject(id, []).rest, body };
    },
  },
  {
    operation: 'cancelPayout',
    code: 'INVALID_STATE_TRANSITION',
    summary: 'A canceled payout',
    make: async (place) => commands.cancel(await canceled(place)).rest,
  },
  {
    operation: 'simulatePayout',
    code: 'INVALID_STATE_TRANSITION',
    summary: 'The settlement of a payout that waits for its approval',
    make: async (place) => commands.simulate((await payout(place)).id, 'settle').rest,
  },
  {
    operation: 'createDecision',
    code: 'INVALID_STATE_TRANSITION',
    summary: 'A canceled payout',
    make: async (place) => decide(await canceled(place)),
  },
  {
    operation: 'createDecision',
    code: 'IDEMPOTENCY_KEY_REUSED',
    summary: 'The id of another decision',
    make: async (place) => {
      const { id, decision_id } = await reviewed(place);
      return decide(id, { decision_id });
    },
  },
  {
    operation: 'createDecision',
    code: 'BANK_ACCOUNT_CHANGED',
    summary: 'An approval after the account got another number',
    make: async (place) => decide(await toChangedAccount(place)),
  },
  {
    operation: 'createDecision',
    code: 'STEP_UP_REQUIRED',
    summary: 'An approval with an API key where the policy asks for a passkey',
    make: async (place) => {
      await demandPasskey(place);
      return decide((await payout(place)).id);
    },
  },
  {
    operation: 'createDecision',
    code: 'FUNDING_INSUFFICIENT',
    summary: 'An approval that the funds do not cover',
    tenant: { environment: 'production' },
    make: async (place) => {
      await enforce(place);
      return decide((await payout(place)).id);
    },
  },
  {
    operation: 'createDecision',
    code: 'PREDECESSOR_NOT_REPLACEABLE',
    summary: 'A replacement of a payout that may have been paid',
    make: async (place) => decide(await doubtfulReplacement(place)),
  },
  {
    operation: 'createDecision',
    code: 'REJECTION_REASON_REQUIRED',
    summary: 'A rejection without a reason',
    make: async (place) => decide((await payout(place)).id, { status: 'rejected' }),
  },
];
