import { z } from 'zod';
import {
  country,
  externalRef,
  knownCurrency,
  optionalText,
  text,
} from '../../src/values/fields.ts';
import { shownFields } from '../../src/domain/bank-account/fields.ts';
import {
  createKey,
  id,
  nextCursor,
  ownBody,
  ownMetadata,
  pageQuery,
  pathId,
  timestamp,
  updatedSince,
} from './common.ts';
import { answered, byWireName } from './declared.ts';
import { schemaEnum } from './schema-enum.ts';

const accountType = schemaEnum('AccountType');

const unusableReason = z.object({
  code: schemaEnum('BankAccountUnusableCode').meta({
    description:
      'iban_required: a UK account without an IBAN. country_not_supported: accounts of the country cannot be checked. rail_rejected: see rail_rejection_reason. not_verified: the owner is not compliant. no_route: the account is in order, and no route of the business pays its currency to its country.',
  }),
  message: z
    .string()
    .meta({ description: 'For people: what is wrong, and the next call. It may change.' }),
});

const nameCheck = z
  .object({
    id: z.string().nullable(),
    result: schemaEnum('NameCheckResult'),
    effect: schemaEnum('NameCheckEffect').nullable(),
    name_on_file: z.string().nullable(),
    source: z.string().nullable(),
    code: z.string().nullable(),
    checked_at: timestamp.nullable(),
    confirmed_at: timestamp.nullable(),
    confirmed_reason: z.string().nullable(),
  })
  .meta({ id: 'BankAccountNameCheck' });

const facts = answered(shownFields, { unusableReason, nameCheck });

/** A bank account as it is answered: identifiers are masked. */
export const bankAccount = z
  .object(
    byWireName({
      id,
      ...facts,
      currency: facts.currency.meta({ description: 'ISO 4217.' }),
      country: facts.country.meta({ description: 'ISO 3166-1 alpha-2.' }),
      payoutUsable: facts.payoutUsable.meta({
        description:
          'Whether payouts can go there: verified, validated and not rejected by the rail.',
      }),
      unusableReason: facts.unusableReason.meta({
        description:
          'Why no payout can go there; null where payouts can. no_route may stand beside payout_usable true: the account is in order, and nothing pays its currency to its country.',
      }),
      last4: facts.last4.meta({ description: 'Last four characters of the identifier.' }),
      metadata: ownMetadata,
    }),
  )
  .meta({ id: 'BankAccount' });

/** Fields that the bank-account body and the deprecated bank_details share. */
export const bankDetailsShape = {
  account_holder_name: text().meta({ description: 'Legal name on the account.' }),
  country,
  currency: knownCurrency,
  account_number: optionalText().meta({ description: 'Domestic account number.' }),
  routing_code: optionalText().meta({ description: 'US ABA, UK sort code, BR branch code, …' }),
  iban: optionalText().meta({ description: 'Required for European corridors.' }),
  swift_bic: optionalText().meta({ description: 'Required for cross-border SWIFT routing.' }),
  bank_name: optionalText(),
};

export const bankAccountBody = z
  .strictObject({
    ...bankDetailsShape,
    clabe: optionalText().meta({ description: 'Mexican routing identifier, 18 digits.' }),
    pix_key: optionalText().meta({ description: 'Brazilian instant-payment identifier.' }),
    account_type: accountType
      .nullish()
      .meta({ description: 'Kind of a US account; checking when absent.' }),
    ...ownBody,
  })
  .meta({ id: 'BankAccountWrite' });

/** The same, with the key of the registration. */
export const bankAccountCreateBody = bankAccountBody
  .extend({ idempotency_key: createKey })
  .meta({ id: 'BankAccountCreate' });

export const bankAccountEnvelope = z.object({ bank_account: bankAccount });
export const bankAccountList = z.object({ bank_accounts: z.array(bankAccount) });

export const bankAccountPage = z.object({
  bank_accounts: z.array(bankAccount),
  next_cursor: nextCursor,
});

export const bankAccountPageQuery = z.strictObject({
  ...pageQuery,
  external_ref: externalRef.optional().meta({
    description: 'With this reference of yours; the payee is not archived.',
  }),
  updatedSince,
});

export const bankAccountParams = z.strictObject({
  id: pathId('beneficiary'),
  accountId: pathId('bank account'),
});
