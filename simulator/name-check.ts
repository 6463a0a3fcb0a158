import type { NameCheckRequest, WireDestination } from './requests.ts';

/** What the bank of an account says of a name. */
interface NameCheck {
  readonly code: string;
  readonly name_on_file: string | null;
}

/** The name that a bank has where only the account says what comes out. */
const onFile = 'Jordan Example';

/** The usual eight-digit accounts of sandboxes, also at the end of an IBAN, with the code of each. */
const accounts: Readonly<Record<string, string>> = {
  '11111111': 'ANNM',
  '11111112': 'MBAM',
  '11111113': 'BANM',
  '11111114': 'PANM',
  '11111115': 'BAMM',
  '11111116': 'PAMM',
  '11111117': 'AC01',
  '11111118': 'IVCR',
  '11111119': 'ACNS',
  '11111120': 'OPTO',
};

/** With these codes a bank tells the name that it has. */
const telling = new Set(['MBAM', 'BAMM', 'PAMM', 'CMTC']);

/** Words at the end of a holder's name that choose the answer for any other account. */
const endings: readonly (readonly [ending: string, code: string])[] = [
  ['close match', 'CMTC'],
  ['no match', 'NMTC'],
  ['not possible', 'NOAP'],
];

const plain = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase();

function accountOf({ account_number: number, iban }: WireDestination): string {
  const digits = (number ?? iban ?? '').replaceAll(/[^0-9A-Za-z]/g, '');
  return number === undefined ? digits.slice(-8) : digits;
}

/**
 * Answers as the bank of the account would: by the account where it is one of those that choose the answer, else by the
 * end of the holder's name, else with a match. The name that was told before is a match.
 */
export function checkName({ destination }: NameCheckRequest): NameCheck {
  const name = destination.account_holder_name;
  const byAccount = accounts[accountOf(destination)];
  if (byAccount !== undefined) {
    const isTold = telling.has(byAccount);
    if (isTold && plain(name) === plain(onFile)) return { code: 'MTCH', name_on_file: null };
    return { code: byAccount, name_on_file: isTold ? onFile : null };
  }
  const found = endings.find(([ending]) => plain(name).endsWith(ending));
  if (found === undefined) return { code: 'MTCH', name_on_file: null };
  const [ending, code] = found;
  const rest = name.trim().slice(0, -ending.length).trim();
  return { code, name_on_file: telling.has(code) ? rest || onFile : null };
}
