import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../../src/errors/catalogue.ts';
import { newId } from '../../../src/values/ids.ts';
import { newAddress, person } from '../../support/beneficiaries.ts';
import { payByFile, setRoutes } from '../../support/banking.ts';
import { payoutBody, type TestPayee } from '../../support/factory.ts';
import * as commands from './commands.ts';
import type { Command } from './commands.ts';
import {
  account,
  beneficiary,
  done,
  block,
  demandPasskey,
  enforce,
  failedPayout,
  payee,
  payout,
  send,
  set,
  type Place,
} from './place.ts';

/** A world in which a command is refused. The refusal must leave the world as it is. */
export interface Scenario {
  readonly code: ErrorCode;
  readonly title: string;
  readonly tenant?: { readonly environment?: 'production'; readonly funded?: false };
  /** A registration shows no key. */
  readonly anonymous?: true;
  readonly make: (place: Place) => Promise<Command>;
}

/** A payout to a payee that something happened to. */
const payoutAfter =
  (change: (place: Place, of: TestPayee) => Promise<void>) =>
  async (place: Place): Promise<Command> => {
    const of = await payee(place);
    await change(place, of);
    return commands.createPayout(payoutBody(of));
  };

export const payeeScenarios: readonly Scenario[] = [
  {
    code: 'BENEFICIARY_NOT_ERASABLE',
    title: 'the erasure of a payee whose payout waits for an approval',
    make: async (place) => {
      const of = await payee(place);
      await payout(place, of);
      return commands.erase(of.beneficiaryId);
    },
  },
  {
    code: 'BENEFICIARY_NOT_COMPLIANT',
    title: 'a payout to a payee who was never acknowledged',
    make: async (place) =>
      commands.createPayout(payoutBody(await payee(place, { acknowledged: false }))),
  },
  {
    code: 'BENEFICIARY_NOT_COMPLIANT',
    title: 'the verification of an account whose owner is not compliant',
    make: async (place) => {
      const { beneficiaryId, bankAccountId } = await payee(place, { acknowledged: false });
      return commands.verifyAccount(beneficiaryId, bankAccountId);
    },
  },
  {
    code: 'BENEFICIARY_REACKNOWLEDGMENT_REQUIRED',
    title: 'a payout after the payee moved',
    make: payoutAfter(async (place, { beneficiaryId }) => {
      await done(place, commands.updateBeneficiary(beneficiaryId, { country_of_residence: 'CA' }));
    }),
  },
  {
    code: 'BENEFICIARY_IDENTITY_INVALID',
    title: 'a person with a registration number',
    make: async () => commands.createBeneficiary(person({ registration_number: '1' })),
  },
  {
    code: 'BENEFICIARY_IDENTITY_INCOMPLETE',
    title: 'an acknowledgment without a date of birth',
    make: async (place) =>
      commands.acknowledge(await beneficiary(place, person({ date_of_birth: null }))),
  },
  {
    code: 'BENEFICIARY_ARCHIVED',
    title: 'a bank account for an archived payee',
    make: async (place) => {
      const id = await beneficiary(place);
      await done(place, commands.archive(id));
      return commands.registerAccount(id, account());
    },
  },
  {
    code: 'BENEFICIARY_EMAIL_ALREADY_EXISTS',
    title: 'an address in other letters',
    make: async (place) => {
      const email = newAddress();
      await beneficiary(place, person({ email }));
      return commands.createBeneficiary(person({ email: email.toUpperCase() }));
    },
  },
  {
    code: 'BANK_ACCOUNT_MISSING_ROUTING',
    title: 'an account without an identifier',
    make: async (place) =>
      commands.registerAccount(await beneficiary(place), {
        account_holder_name: 'Ada',
        country: 'US',
        currency: 'USD',
      }),
  },
  {
    code: 'BANK_ACCOUNT_VALIDATION_FAILED',
    title: 'an IBAN with a wrong checksum, in place of good details',
    make: async (place) => {
      const { beneficiaryId, bankAccountId } = await payee(place);
      const body = { account_holder_name: 'Ada', country: 'DE', currency: 'EUR' };
      return commands.updateAccount(beneficiaryId, bankAccountId, {
        ...body,
        iban: 'DE88370400440532013000',
      });
    },
  },
  {
    code: 'BANK_ACCOUNT_NOT_PENDING',
    title: 'the verification of a verified account',
    make: async (place) => {
      const { beneficiaryId, bankAccountId } = await payee(place);
      return commands.verifyAccount(beneficiaryId, bankAccountId);
    },
  },
  {
    code: 'BANK_ACCOUNT_NOT_FOUND',
    title: 'a payout to an account that nobody has',
    make: async (place) =>
      commands.createPayout(
        payoutBody({ ...(await payee(place)), bankAccountId: newId('bankAccount') }),
      ),
  },
  {
    code: 'BANK_ACCOUNT_BENEFICIARY_MISMATCH',
    title: "a payout to another payee's account",
    make: async (place) => {
      const { bankAccountId } = await payee(place);
      return commands.createPayout(payoutBody({ ...(await payee(place)), bankAccountId }));
    },
  },
  {
    code: 'BANK_ACCOUNT_NOT_VERIFIED',
    title: 'a payout to an account that waits for its verification',
    make: payoutAfter((place, { bankAccountId }) =>
      set(place, 'bank_account', bankAccountId, `status = 'pending_verification'`),
    ),
  },
  {
    code: 'BANK_ACCOUNT_NOT_VALIDATED',
    title: 'a payout to a country without a checker',
    make: async (place) => {
      const { beneficiaryId } = await payee(place);
      const body = account({ country: 'JP', currency: 'JPY', routing_code: null });
      const bankAccountId = await done(place, commands.registerAccount(beneficiaryId, body));
      return commands.createPayout(
        payoutBody({ beneficiaryId, bankAccountId }, { currency: 'JPY' }),
      );
    },
  },
  {
    code: 'PAYOUT_ROUTE_MISSING',
    title: 'a payout that no route pays',
    make: async (place) => {
      await setRoutes(place.harness, place.tenant, 0, [{ provider: 'simulator', currency: 'EUR' }]);
      return commands.createPayout(payoutBody(await payee(place)));
    },
  },
  {
    code: 'PAYEE_ADDRESS_INCOMPLETE',
    title: 'a payout by wire to a payee without an address',
    make: async (place) => {
      await payByFile(place.harness, place.tenant, 'us_wire');
      return commands.createPayout(payoutBody(await payee(place)));
    },
  },
  {
    code: 'PAYOUT_ROUTE_UNFIT',
    title: 'a payout by a file that cannot hold the name on the account',
    make: async (place) => {
      await payByFile(place.harness, place.tenant, 'ach');
      const beneficiaryId = await beneficiary(place, person({ acknowledged: true }));
      const details = account({ account_holder_name: '\u{E000}\u{E001}' });
      const bankAccountId = await done(place, commands.registerAccount(beneficiaryId, details));
      return commands.createPayout(payoutBody({ beneficiaryId, bankAccountId }));
    },
  },
  {
    code: 'BANK_ACCOUNT_RAIL_REJECTED',
    title:
      'a payout to an account that the rail refused, before the state of the enrollment is told',
    make: async (place) => {
      const of = await payee(place, { accountNumber: '000123450004' });
      await send(place, commands.enroll(of.beneficiaryId));
      return commands.createPayout(payoutBody(of));
    },
  },
  {
    code: 'NO_PAYOUT_USABLE_BANK_ACCOUNT',
    title: 'an enrollment without an account',
    make: async (place) =>
      commands.enroll(await beneficiary(place, person({ acknowledged: true }))),
  },
  {
    code: 'BANK_ACCOUNT_AMBIGUOUS',
    title: 'an enrollment that names none of two accounts',
    make: async (place) => {
      const { beneficiaryId } = await payee(place);
      await done(
        place,
        commands.registerAccount(beneficiaryId, account({ account_number: '000123456780' })),
      );
      return commands.enroll(beneficiaryId);
    },
  },
  {
    code: 'BANK_ACCOUNT_NOT_PAYOUT_USABLE',
    title: 'an enrollment of an account that is not verified',
    make: async (place) => {
      const { beneficiaryId, bankAccountId } = await payee(place);
      await set(place, 'bank_account', bankAccountId, `status = 'pending_verification'`);
      return commands.enroll(beneficiaryId, bankAccountId);
    },
  },
  {
    code: 'BENEFICIARY_ENROLLMENT_FAILED',
    title: 'a payout to a good account of a payee whose enrollment was refused',
    make: async (place) => {
      const of = await payee(place, { accountNumber: '000123450004' });
      await send(place, commands.enroll(of.beneficiaryId));
      const bankAccountId = await done(
        place,
        commands.registerAccount(of.beneficiaryId, account()),
      );
      return commands.createPayout(payoutBody({ ...of, bankAccountId }));
    },
  },
];

export const payoutScenarios: readonly Scenario[] = [
  {
    code: 'PAYOUT_NOT_FOUND',
    title: 'the approval of nothing',
    make: async () => commands.approve(newId('payout')),
  },
  {
    code: 'INVALID_STATE_TRANSITION',
    title: 'the approval of a canceled payout',
    make: async (place) => {
      const { id } = await payout(place);
      await done(place, commands.cancel(id));
      return commands.approve(id);
    },
  },
  {
    code: 'STEP_UP_REQUIRED',
    title: 'an approval with an API key where the policy asks for a passkey',
    make: async (place) => {
      await demandPasskey(place);
      return commands.approve((await payout(place)).id);
    },
  },
  {
    code: 'BANK_ACCOUNT_CHANGED',
    title: 'the approval of a payout whose account got another number',
    make: async (place) => {
      const of = await payee(place);
      const { id } = await payout(place, of);
      const details = account({ account_number: '000999999999' });
      await done(place, commands.updateAccount(of.beneficiaryId, of.bankAccountId, details));
      return commands.approve(id);
    },
  },
  {
    code: 'REJECTION_REASON_REQUIRED',
    title: 'a rejection without a reason',
    make: async (place) => commands.reject((await payout(place)).id, []),
  },
  {
    code: 'BENEFICIARY_MISMATCH',
    title: 'an echo of another name',
    make: async (place) =>
      commands.createPayout(payoutBody(await payee(place), { beneficiary: { first_name: 'Bob' } })),
  },
  {
    code: 'INVALID_PURPOSE_OF_PAYMENT',
    title: 'a purpose that is not in the list',
    make: async (place) =>
      commands.createPayout(payoutBody(await payee(place), { purpose_of_payment: 'gambling' })),
  },
  {
    code: 'INVALID_MONEY',
    title: 'a currency that does not exist',
    make: async (place) =>
      commands.createPayout(payoutBody(await payee(place), { currency: 'XTS' })),
  },
  {
    code: 'IDEMPOTENCY_KEY_REUSED',
    title: 'a key with another amount',
    make: async (place) => {
      const { body } = await payout(place);
      return commands.createPayout({ ...body, amount_minor: 1 });
    },
  },
  {
    code: 'PREDECESSOR_NOT_REPLACEABLE',
    title: 'a replacement of a payout that waits',
    make: async (place) => {
      const of = await payee(place);
      const { id } = await payout(place, of);
      return commands.createPayout(payoutBody(of, { replaces_payout_id: id }));
    },
  },
  {
    code: 'PREDECESSOR_ALREADY_REPLACED',
    title: 'a second replacement',
    make: async (place) => {
      const { id, of } = await failedPayout(place);
      await payout(place, of, { replaces_payout_id: id });
      return commands.createPayout(payoutBody(of, { replaces_payout_id: id }));
    },
  },
  {
    code: 'SANDBOX_WALLET_UNFUNDED',
    title: 'a payout from an empty wallet',
    tenant: { funded: false },
    make: async (place) => commands.createPayout(payoutBody(await payee(place))),
  },
  {
    code: 'PAYOUT_BLOCKED_BY_POLICY',
    title: 'a payout that a rule of the approval policy blocks',
    make: async (place) => {
      await block(place);
      return commands.createPayout(payoutBody(await payee(place)));
    },
  },
  {
    code: 'FUNDING_INSUFFICIENT',
    title: 'a payout that auto approves and the funds do not cover',
    tenant: { environment: 'production' },
    make: async (place) => {
      await enforce(place);
      const more = { validator_strategy: 'auto' };
      return commands.createPayout(payoutBody(await payee(place), more));
    },
  },
  {
    code: 'FUNDING_INSUFFICIENT',
    title: 'an approval that the funds do not cover',
    tenant: { environment: 'production' },
    make: async (place) => {
      await enforce(place);
      return commands.approve((await payout(place)).id);
    },
  },
  {
    code: 'SANDBOX_ONLY',
    title: 'a simulated event in production',
    tenant: { environment: 'production' },
    make: async (place) => commands.simulate((await payout(place)).id, 'hold'),
  },
  {
    code: 'FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED',
    title: 'the balance of an account that is not there',
    tenant: { funded: false },
    make: async () => commands.setBalance({ available_balance_minor: 1, currency: 'USD' }),
  },
  {
    code: 'FUNDING_CURRENCY_MISMATCH',
    title: 'a balance in another currency',
    make: async () => commands.setBalance({ available_balance_minor: 1, currency: 'EUR' }),
  },
  {
    code: 'EMAIL_ALREADY_REGISTERED',
    title: 'a second registration of an address',
    anonymous: true,
    make: async (place) => {
      const body = { email: `${randomUUID()}@gmail.com`, company_name: 'Twice Ltd' };
      await done(place, commands.register(body));
      return commands.register(body);
    },
  },
  {
    code: 'COMPANY_DOMAIN_ALREADY_CLAIMED',
    title: 'a second registration of a company',
    anonymous: true,
    make: async (place) => {
      const domain = `${randomUUID()}.example`;
      await done(place, commands.register({ email: `a@${domain}`, company_name: 'First Ltd' }));
      return commands.register({ email: `b@${domain}`, company_name: 'Second Ltd' });
    },
  },
];
