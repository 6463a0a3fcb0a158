import { z } from 'zod';
import { id, minorUnits, stored, text, time } from '../../values/columns.ts';
import { columnName } from '../../db/columns.ts';
import { externalRef, idempotencyKey, metadata, text as textOf } from '../../values/fields.ts';

/*
 * The fields of a payout, declared once. The GraphQL type and its input, the contract of REST and its documents, the
 * input of the command, the rows that it writes and the columns of the export are made of these two tables.
 */

/** What everybody who may read a payout is shown of its row, in the order in which REST answers. */
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
