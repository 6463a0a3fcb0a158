import type { AchReturnReport } from '../report.ts';
import { badRecord, digitsIn, textIn } from './read-layout.ts';
import type { NachaLine } from './read-lines.ts';

type ReturnPart = Pick<
  AchReturnReport,
  | 'kind'
  | 'form'
  | 'code'
  | 'originalTraceNumber'
  | 'originalReceivingBank'
  | 'dateOfDeath'
  | 'returnCode'
  | 'dishonorCode'
  | 'text'
>;

/** Codes of the originating bank's refusal of a return, and of the receiving bank's answer to that. */
const dishonored = /^R6[0-9]$|^R70$/;
const contested = /^R7[1-7]$/;

function formOf(code: string): AchReturnReport['form'] {
  if (dishonored.test(code)) return 'dishonored';
  return contested.test(code) ? 'contested' : 'return';
}

const textOrNull = (text: string): string | null => (text === '' ? null : text);

/** Two digits that stand for a return code of the same number. */
function shortCode(record: NachaLine, first: number): string | null {
  const digits = textIn(record, [first, first + 1]);
  return /^\d\d$/.test(digits) ? `R${digits}` : null;
}

function dateOfDeath(record: NachaLine): string | null {
  const text = textIn(record, [22, 27]);
  if (!/^\d{6}$/.test(text) || text === '000000') return null;
  return `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`;
}

/** Reads addenda 99, whose fields differ between a return, a dishonored and a contested one. */
export function returnPart(record: NachaLine): ReturnPart {
  const code = textIn(record, [4, 6]);
  if (!/^R\d\d$/.test(code))
    throw badRecord(record, 'the addenda of a return have no return code.');
  const form = formOf(code);
  const head = {
    kind: 'ach_return' as const,
    form,
    code,
    originalTraceNumber: digitsIn(record, 'the original trace number', [7, 21]),
    originalReceivingBank: digitsIn(record, 'the original receiving bank', [28, 35]),
    dateOfDeath: null,
    returnCode: null,
    dishonorCode: null,
    text: null,
  };
  switch (form) {
    case 'return':
      return {
        ...head,
        dateOfDeath: dateOfDeath(record),
        text: textOrNull(textIn(record, [36, 79])),
      };
    case 'dishonored':
      return {
        ...head,
        returnCode: shortCode(record, 57),
        text: textOrNull(textIn(record, [59, 79])),
      };
    case 'contested':
      return {
        ...head,
        returnCode: shortCode(record, 57),
        dishonorCode: shortCode(record, 77),
      };
  }
}
