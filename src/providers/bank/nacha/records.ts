/**
 * The records of a Nacha file (Nacha Operating Rules, appendix 3; achdevguide.nacha.org). Every record
 * is a line of 94 characters, ten lines are a block, and the last block is filled with nines.
 */
const recordLength = 94;
export const linesPerBlock = 10;
export const fillerLine = '9'.repeat(recordLength);

/** A field with a value of its own in each record, or one that is always the same. */
type Field<Name extends string> =
  | {
      readonly name: Name;
      readonly length: number;
      /** `text` begins at the left and is filled with spaces, `number` ends at the right, with zeros. */
      readonly kind: 'text' | 'number';
    }
  | { readonly always: string };

/** The fields of a record in their order, from the first character to the last one. */
export interface Layout<Name extends string> {
  readonly fields: readonly Field<Name>[];
}

const text = <const Name extends string>(name: Name, length: number) =>
  ({ name, length, kind: 'text' }) as const;
const number = <const Name extends string>(name: Name, length: number) =>
  ({ name, length, kind: 'number' }) as const;
const always = (value: string) => ({ always: value }) as const;

function layout<const Name extends string>(...fields: readonly Field<Name>[]): Layout<Name> {
  return { fields };
}

export const fileHeader = layout(
  always('1'),
  always('01'), // priority
  text('immediateDestination', 10),
  text('immediateOrigin', 10),
  text('creationDate', 6),
  text('creationTime', 4),
  text('fileIdModifier', 1),
  always('094'),
  always('10'),
  always('1'), // format
  text('destinationName', 23),
  text('originName', 23),
  text('referenceCode', 8),
);

export const batchHeader = layout(
  always('5'),
  number('serviceClass', 3),
  text('companyName', 16),
  text('discretionaryData', 20),
  text('companyId', 10),
  text('entryClass', 3),
  text('entryDescription', 10),
  text('descriptiveDate', 6),
  text('effectiveDate', 6),
  always('   '), // the day of settlement, which the operator of the network fills in
  always('1'), // the originating bank is bound by the rules
  text('originatingBank', 8),
  number('batchNumber', 7),
);

export const entryDetail = layout(
  always('6'),
  number('transactionCode', 2),
  text('receivingBank', 8),
  text('checkDigit', 1),
  text('accountNumber', 17),
  number('amount', 10),
  text('identification', 15),
  text('name', 22),
  text('discretionaryData', 2),
  number('addendaIndicator', 1),
  number('traceNumber', 15),
);

/** The free text that travels with an entry. */
export const paymentAddenda = layout(
  always('7'),
  always('05'),
  text('paymentInformation', 80),
  number('addendaSequence', 4),
  number('entrySequence', 7),
);

const totals = [
  number('entryHash', 10),
  number('totalDebit', 12),
  number('totalCredit', 12),
] as const;

export const batchControl = layout(
  always('8'),
  number('serviceClass', 3),
  number('entryAddendaCount', 6),
  ...totals,
  text('companyId', 10),
  always(' '.repeat(25)), // authentication code, and reserved
  text('originatingBank', 8),
  number('batchNumber', 7),
);

export const fileControl = layout(
  always('9'),
  number('batchCount', 6),
  number('blockCount', 6),
  number('entryAddendaCount', 8),
  ...totals,
  always(' '.repeat(39)),
);

/** A credit in a checking or a savings account; a debit of ours stands against them in a balanced batch. */
export const transactionCodes = {
  credit: { checking: 22, savings: 32 },
  debit: { checking: 27, savings: 37 },
} as const;

/** What a batch holds: credits and debits, or credits alone. */
export const serviceClasses = { mixed: 200, creditsOnly: 220 } as const;

function place<Name extends string>(
  field: Field<Name>,
  values: Readonly<Record<Name, string | number | bigint>>,
): string {
  if ('always' in field) return field.always;
  const value = String(values[field.name]);
  const filled =
    field.kind === 'number' ? value.padStart(field.length, '0') : value.padEnd(field.length, ' ');
  if (filled.length !== field.length)
    throw new RangeError(`${field.name} has no room in its field`);
  return filled;
}

/**
 * A record as a line of 94 characters, without its end. Nothing is ever cut: RangeError for a value
 * that is longer than its field.
 */
export function writeRecord<Name extends string>(
  { fields }: Layout<Name>,
  values: Readonly<Record<Name, string | number | bigint>>,
): string {
  return fields.map((field) => place(field, values)).join('');
}
