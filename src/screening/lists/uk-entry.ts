import { ListProblem } from './problem.ts';
import type { EntryType, ListedName } from './entry.ts';

const types: Readonly<Record<string, EntryType>> = {
  individual: 'person',
  entity: 'organisation',
  ship: 'vessel',
};

/** @param place where it stands, for people */
export function ukType(written: string, place: string): EntryType {
  const type = types[written.toLowerCase()];
  if (type !== undefined) return type;
  throw new ListProblem('unknown_type', `${place}: the designation is of the type "${written}".`);
}

/**
 * Whether a designation freezes assets or forbids payments, by the words of `SanctionsImposed`. A ban of ports or of
 * travel is no reason to stop a payee. Where nothing is said, it counts.
 */
export function ukCounts(imposed: string): boolean {
  if (imposed.trim() === '') return true;
  return imposed
    .split('|')
    .some((one) => /asset\s*freeze|correspondent banking|processing payments/i.test(one));
}

/** Name 6 is the family name, or the whole name of an organisation: it comes last. */
export const ukName = (parts: readonly string[], last: string): string =>
  [...parts, last].filter((part) => part !== '').join(' ');

/** The types of names are written in several ways: `Primary Name`, `Primary name`, `ALias`. */
export function ukRole(type: string, strength: string): Omit<ListedName, 'text'> {
  const primary = /^primary name$/i.test(type.trim());
  return { role: primary ? 'primary' : 'alias', weak: /^low/i.test(strength.trim()) };
}

/** The primary name first, whatever the order of the file. */
export function primaryFirst(names: readonly ListedName[]): ListedName[] {
  return [
    ...names.filter(({ role }) => role === 'primary'),
    ...names.filter(({ role }) => role !== 'primary'),
  ];
}
