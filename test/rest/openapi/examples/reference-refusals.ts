import { person } from '../../../support/beneficiaries.ts';
import * as commands from '../../../matrix/codes/commands.ts';
import { account, beneficiary, done, payee } from '../../../matrix/codes/place.ts';
import type { Refusal } from './further-refusals.ts';

/** References and keys that are taken. */
export const referenceRefusals: readonly Refusal[] = [
  {
    operation: 'createBeneficiary',
    code: 'IDEMPOTENCY_KEY_REUSED',
    summary: 'The key of another beneficiary',
    make: async (place) => {
      await beneficiary(place, person({ idempotency_key: 'onboarding-1' }));
      return commands.createBeneficiary(person({ idempotency_key: 'onboarding-1' })).rest;
    },
  },
  {
    operation: 'updateBeneficiary',
    code: 'EXTERNAL_REF_ALREADY_EXISTS',
    summary: 'The reference of another beneficiary',
    make: async (place) => {
      await beneficiary(place, person({ external_ref: 'vendor-1' }));
      const id = await beneficiary(place);
      return commands.updateBeneficiary(id, { external_ref: 'vendor-1' }).rest;
    },
  },
  {
    operation: 'registerBankAccount',
    code: 'IDEMPOTENCY_KEY_REUSED',
    summary: 'The key of another account',
    make: async (place) => {
      const owner = await beneficiary(place);
      await done(place, commands.registerAccount(owner, account({ idempotency_key: 'a-1' })));
      const other = account({ idempotency_key: 'a-1', account_number: '000987654321' });
      return commands.registerAccount(owner, other).rest;
    },
  },
  {
    operation: 'registerBankAccount',
    code: 'EXTERNAL_REF_ALREADY_EXISTS',
    summary: 'The reference of another account',
    make: async (place) => {
      const owner = await beneficiary(place);
      await done(place, commands.registerAccount(owner, account({ external_ref: 'vendor-1' })));
      const other = account({ external_ref: 'vendor-1', account_number: '000987654321' });
      return commands.registerAccount(owner, other).rest;
    },
  },
  {
    operation: 'updateBankAccount',
    code: 'EXTERNAL_REF_ALREADY_EXISTS',
    summary: 'The reference of another account',
    make: async (place) => {
      const owner = await beneficiary(place);
      await done(place, commands.registerAccount(owner, account({ external_ref: 'vendor-1' })));
      const { beneficiaryId, bankAccountId } = await payee(place);
      const details = account({ external_ref: 'vendor-1', account_number: '000987654321' });
      return commands.updateAccount(beneficiaryId, bankAccountId, details).rest;
    },
  },
];
