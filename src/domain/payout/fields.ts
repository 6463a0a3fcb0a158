import { z } from 'zod';
import type { Payout } from '../../../generated/prisma/client.ts';
import { id, json, minorUnits, stored, text, time } from '../../values/columns.ts';
import { columnName } from '../../db/columns.ts';
import { externalRef, idempotencyKey, metadata, text as textOf } from '../../values/fields.ts';

/*
 * The fields of a payout, declared once. The GraphQL type and its input, the contract of REST and its documents, the
 * input of the command, the rows that it writes and the columns of the export are made of these two tables.
 */

/**
 * What everybody who may read a payout is shown, in the order in which REST answers it behind the id. Most are
 * columns of its row. GraphQL shows more, which stands with its resolvers.
 */
export const shownFields = {
  state: stored('PayoutState', 'Current state.'),
  beneficiaryId: id('Id of the payee.'),
  beneficiaryName: text.orNull('Legal name of the payee when the payout was created.'),
  beneficiaryType: stored('BeneficiaryType', 'person or business.'),
  bankAccountId: id('Id of the destination.'),
  amountMinor: minorUnits('Amount in minor units of currency.'),
  currency: text('ISO 4217 code.'),
  purposeOfPayment: stored(
    'PurposeOfPayment',
    'Why the money is paid; a value of the reference list of purposes.',
  ),
  externalRef: text.orNull("The business's own reference."),
  idempotencyKey: text('Key under which the create can be replayed for 24 hours.'),
  validatorStrategy: stored('ValidatorStrategy', 'Who decides on the payout.'),
  environment: stored('Environment', 'sandbox or production.'),
  metadata: json.orNull("The business's own key-value pairs."),
  provider: text.orNull('Provider of the latest disbursement attempt.'),
  providerPayoutId: text.orNull("The provider's id of the latest disbursement attempt."),
  railRef: text.orNull(
    "The provider's reference of the disbursement; null until the provider has given it.",
  ),
  via: text.orNull('Reserved; always null in this version.'),
  failureCode: stored.orNull(
    'PayoutFailureCode',
    'Code of the reason why the payout failed or was returned.',
  ),
  failureMessage: text.orNull('The same in words.'),
  replacesPayoutId: id.orNull('The failed or returned payout that this one replaces.'),
  batchId: id.orNull('The batch that it was made of; null for one that was created by itself.'),
  shortfallMinor: minorUnits.orNull(
    'What the funds lack for it, in minor units of currency, because money went out after its approval while funds are enforced. Null where they cover it. It is handed over all the same, and its bank or provider decides; until then it can be canceled.',
  ),
  createdAt: time('Time of creation.'),
  updatedAt: time('Time of the last change.'),
  approvedAt: time.orNull('Time of the approval.'),
  disbursedAt: time.orNull('When the provider confirmed that the money left.'),
  settledAt: time.orNull('When the money arrived.'),
};

export const validatorStrategies = ['manual', 'auto', 'agent'] as const;

/** A field of a request: its type in GraphQL, and the check that the command makes of it. */
const given = <Input extends z.ZodType>(type: string, input: Input, description: string) => ({
  type,
  input,
  description,
});

/**
 * What the caller gives, in the order of the request. All of it is part of the request's hash. A wrong amount, currency
 * or purpose has an error code of its own (INVALID_MONEY, INVALID_PURPOSE_OF_PAYMENT), so the command judges them, and
 * their shape is open here.
 */
export const givenFields = {
  beneficiaryId: given('ID', textOf(), 'The payee.'),
  bankAccountId: given('ID', textOf(), 'The destination, of that payee.'),
  amountMinor: given(
    'MinorUnits',
    z.union([z.number(), z.bigint(), z.string()]),
    'Amount in minor units of currency, 1 to 999,999,999,999.',
  ),
  currency: given('String', z.string(), "ISO 4217; the bank account's currency."),
  purposeOfPayment: given(
    'String',
    z.string().nullish(),
    'A value of the reference list of purposes.',
  ),
  idempotencyKey: given(
    'String',
    idempotencyKey,
    'Repeating a create with the same key within 24 hours gives the same payout.',
  ),
  externalRef: given('String', externalRef.nullish(), "The business's own reference."),
  validatorStrategy: given(
    'ValidatorStrategy',
    z
      .enum(validatorStrategies)
      .nullish()
      .transform((value) => value ?? 'manual'),
    'Who decides; manual by default.',
  ),
  replacesPayoutId: given(
    'ID',
    textOf().nullish(),
    'A failed or returned payout to be replaced, once.',
  ),
  metadata: given(
    'JSON',
    metadata.nullish(),
    'Up to 20 pairs of texts; values have up to 500 characters. Returned unchanged.',
  ),
};
type Given = typeof givenFields;

type Inputs = { readonly [Name in keyof Given]: Given[Name]['input'] };

/** The checks of what the caller gives, by name. */
export const givenInputs = Object.fromEntries(
  Object.entries(givenFields).map(([name, { input }]) => [name, input]),
) as unknown as Inputs;

/** What the payout keeps as it was given. All of it is text. */
type Kept = Exclude<keyof Given, 'amountMinor' | 'metadata'>;
export type KeptFields = Pick<Payout, Kept>;

const { amountMinor: _amount, metadata: _metadata, ...keptInputs } = givenInputs;
const kept = Object.keys(keptInputs) as readonly Kept[];

/** The columns of what a payout keeps, by the names of its fields. */
const columnsOfKept = kept.map((name) => [name, columnName(name)] as const);
export const keptColumns = columnsOfKept.map(([, column]) => column);

type Optional = { [Name in Kept]: null extends Payout[Name] ? Name : never }[Kept];
type KeptInput = Readonly<
  Omit<KeptFields, Optional> & { [Name in Optional]?: Payout[Name] | undefined }
>;

/** What a payout keeps, of a request that passed its checks. */
export const keptOf = (from: KeptInput): KeptFields =>
  Object.fromEntries(kept.map((name) => [name, from[name] ?? null])) as unknown as KeptFields;

/** The same by the names of the columns. */
export const keptByColumn = (from: KeptFields): Record<string, string | null> =>
  Object.fromEntries(columnsOfKept.map(([name, column]) => [column, from[name]]));
