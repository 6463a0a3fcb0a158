import { idPrefixes, type Resource } from '../../values/ids.ts';

/*
 * An id begins with the time at which it was made, so lists of several kinds of rows merge by their ids alone, each read
 * along its own index.
 */

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** Digits of a suffix that hold the milliseconds, and those behind them. */
const timeDigits = 10;
const otherDigits = 16;

/** The milliseconds since 1970 in which an id was made. */
export function momentOfId(id: string): number {
  const suffix = id.slice(id.indexOf('_') + 1);
  let ms = 0;
  for (const digit of suffix.slice(0, timeDigits)) ms = ms * 32 + alphabet.indexOf(digit);
  return ms;
}

/** The lowest id of a resource that could be made in a millisecond. */
export function lowestId(resource: Resource, ms: number): string {
  let rest = Math.max(0, Math.floor(ms));
  let digits = '';
  for (let place = 0; place < timeDigits; place += 1) {
    digits = alphabet.charAt(rest % 32) + digits;
    rest = Math.floor(rest / 32);
  }
  return `${idPrefixes[resource]}_${digits}${'0'.repeat(otherDigits)}`;
}

/** The same of a UUIDv7. */
export const momentOfUuid = (uuid: string): number =>
  Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);

export function lowestUuid(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
