import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { invalid } from '../errors/domain-error.ts';
import type { Keyring } from './keyring.ts';

const tagLength = 16;
const purpose = 'list cursor';

/** What a cursor belongs to. It is refused for another tenant, list or filter. */
export interface CursorPlace {
  readonly tenantId: string;
  readonly list: string;
  readonly filter: unknown;
}

function tag(key: KeyObject, place: CursorPlace, position: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([place.tenantId, place.list, place.filter, position]))
    .digest()
    .subarray(0, tagLength);
}

/** An opaque cursor for a position (the last row's sort key) in one tenant's list under one filter. */
export function makeCursor(keyring: Keyring, place: CursorPlace, position: string): string {
  const [key] = keyring.derive(purpose);
  if (key === undefined) throw new Error('the keyring is empty');
  return Buffer.concat([tag(key, place, position), Buffer.from(position)]).toString('base64url');
}

/**
 * The position of a cursor. Throws `validation_failed` with the code `invalid_cursor` if the cursor is forged
 * or belongs to another tenant, list or filter.
 * @param field name of the caller's field, for the error's detail
 */
export function openCursor(
  keyring: Keyring,
  place: CursorPlace,
  cursor: string,
  field: string,
): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const given = bytes.subarray(0, tagLength);
  const position = bytes.subarray(tagLength).toString();
  const genuine =
    given.length === tagLength &&
    keyring.derive(purpose).some((key) => timingSafeEqual(tag(key, place, position), given));
  if (!genuine) {
    throw invalid([
      {
        field,
        code: 'invalid_cursor',
        message: 'The cursor does not belong to this list; begin again without it.',
      },
    ]);
  }
  return position;
}
