import type { FieldError } from '../../src/errors/domain-error.ts';
import type { Faults, Field } from './fields.ts';

const lastPart = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/**
 * The faults by the fields of a page. If a required field is not asked for on this page, its fault is
 * shown at the question that is asked in its place: for example a country's preferred identifier,
 * where the page asks for the customary one. A fault that belongs to no field makes the page say that
 * something is wrong.
 */
export function faultsOf(details: readonly FieldError[], fields: readonly Field[]): Faults {
  const names = new Set(fields.map(({ name }) => name));
  const faults = new Map<string, string>();
  for (const { field, code } of details) {
    const name = lastPart(field);
    if (names.has(name)) {
      if (!faults.has(name)) faults.set(name, code);
      continue;
    }
    const stand = fields.find(({ secret }) => secret === true)?.name ?? '';
    if (!faults.has(stand)) faults.set(stand, code);
  }
  if (faults.size === 0) faults.set('', 'other');
  return faults;
}
