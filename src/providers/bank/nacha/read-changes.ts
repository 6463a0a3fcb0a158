import type { AchChangeReport, Correction } from '../report.ts';
import { digitsIn, textIn } from './read-layout.ts';
import type { NachaLine } from './read-lines.ts';

interface ChangeCode {
  readonly meaning: string;
  /** Where each corrected value stands in the corrected data, counted from 1. */
  readonly fields: Partial<Record<keyof Correction, readonly [first: number, last: number]>> | null;
}

/** Notifications of change, as addenda 98 carry them. https://achdevguide.nacha.org/ach-file-details */
export const changeCodes: Readonly<Record<string, ChangeCode>> = {
  C01: { meaning: 'The account number is wrong', fields: { accountNumber: [1, 17] } },
  C02: { meaning: 'The routing number is wrong', fields: { routingNumber: [1, 9] } },
  C03: {
    meaning: 'The routing number and the account number are wrong',
    fields: { routingNumber: [1, 9], accountNumber: [13, 29] },
  },
  C04: { meaning: 'The name is wrong', fields: { name: [1, 22] } },
  C05: { meaning: 'The transaction code is wrong', fields: { transactionCode: [1, 2] } },
  C06: {
    meaning: 'The account number and the transaction code are wrong',
    fields: { accountNumber: [1, 17], transactionCode: [21, 22] },
  },
  C07: {
    meaning: 'The routing number, the account number and the transaction code are wrong',
    fields: { routingNumber: [1, 9], accountNumber: [10, 26], transactionCode: [27, 28] },
  },
  C08: { meaning: 'The identification of the foreign bank is wrong (IAT)', fields: null },
  C09: { meaning: 'The individual’s identification is wrong', fields: { identification: [1, 22] } },
  C10: { meaning: 'The company’s name is wrong', fields: null },
  C11: { meaning: 'The company’s identification is wrong', fields: null },
  C12: { meaning: 'The company’s name and identification are wrong', fields: null },
  C13: { meaning: 'The addenda record is wrong', fields: null },
  C14: { meaning: 'The entry class is wrong for a payment abroad', fields: null },
  C61: { meaning: 'Refused: the notification was misrouted', fields: null },
  C62: { meaning: 'Refused: the trace number is wrong', fields: null },
  C63: { meaning: 'Refused: the company’s identification is wrong', fields: null },
  C64: { meaning: 'Refused: the individual’s identification is wrong', fields: null },
  C65: { meaning: 'Refused: the corrected data are wrong', fields: null },
  C66: { meaning: 'Refused: the discretionary data are wrong', fields: null },
  C67: { meaning: 'Refused: the routing number is not that of the entry', fields: null },
  C68: { meaning: 'Refused: the account number is not that of the entry', fields: null },
  C69: { meaning: 'Refused: the transaction code is wrong', fields: null },
};

/** The values that a correction has by its code. Null for a code without data, and for an unknown one. */
function correctionOf(code: string, corrected: string): Correction | null {
  const fields = Object.hasOwn(changeCodes, code) ? changeCodes[code]?.fields : null;
  if (fields == null) return null;
  const at = (name: keyof Correction): string | null => {
    const span = fields[name];
    const text = span === undefined ? '' : corrected.slice(span[0] - 1, span[1]).trim();
    return text === '' ? null : text;
  };
  return {
    accountNumber: at('accountNumber'),
    routingNumber: at('routingNumber'),
    transactionCode: at('transactionCode'),
    name: at('name'),
    identification: at('identification'),
  };
}

type ChangePart = Pick<
  AchChangeReport,
  | 'kind'
  | 'code'
  | 'refused'
  | 'originalTraceNumber'
  | 'originalReceivingBank'
  | 'corrected'
  | 'correction'
>;

/** Reads addenda 98. A refused notification repeats the corrected data and adds its own code before them. */
export function changePart(record: NachaLine): ChangePart {
  const code = textIn(record, [4, 6]);
  const data = record.text.slice(35, 64);
  const refused = /^C6\d$/.test(code);
  const corrects = refused ? textIn(record, [65, 67]) : code;
  return {
    kind: 'ach_change',
    code,
    refused,
    originalTraceNumber: digitsIn(record, 'the original trace number', [7, 21]),
    originalReceivingBank: digitsIn(record, 'the original receiving bank', [28, 35]),
    corrected: data.trimEnd(),
    correction: correctionOf(corrects, data),
  };
}
