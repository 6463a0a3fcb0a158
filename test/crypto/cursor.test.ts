import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { type CursorPlace, makeCursor, openCursor } from '../../src/crypto/cursor.ts';
import { createKeyring } from '../../src/crypto/keyring.ts';

const newKey = () => randomBytes(32).toString('base64');
const oldKey = newKey();
const keyring = createKeyring(`k1:${oldKey}`);
const place: CursorPlace = { tenantId: 'ten_1', list: 'payouts', filter: { state: ['approved'] } };
const cursor = makeCursor(keyring, place, 'pay_1');
const open = (text: string, at = place, ring = keyring) => openCursor(ring, at, text, 'after');

it('leads back to its position, with every key of the ring', () => {
  expect(open(cursor)).toBe('pay_1');
  const rotated = createKeyring(`k2:${newKey()},k1:${oldKey}`);
  expect(open(cursor, place, rotated)).toBe('pay_1');
  expect(() => open(cursor, place, createKeyring(`k2:${newKey()}`))).toThrow();
});

it('is of its tenant, its list and its filter', () => {
  for (const other of [
    { ...place, tenantId: 'ten_2' },
    { ...place, list: 'events' },
    { ...place, filter: { state: ['settled'] } },
    { ...place, filter: {} },
  ]) {
    expect(() => open(cursor, other)).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
  }
});

it('is refused by its name where it was made up, cut or changed', () => {
  const bytes = Buffer.from(cursor, 'base64url');
  const changed = Buffer.from(bytes);
  changed[bytes.length - 1] = (changed[bytes.length - 1] ?? 0) ^ 1;
  for (const text of ['', 'AA', 'pay_1', bytes.subarray(0, 15).toString('base64url')]) {
    expect(() => open(text)).toThrow(
      expect.objectContaining({
        details: [expect.objectContaining({ field: 'after', code: 'invalid_cursor' })],
      }),
    );
  }
  expect(() => open(changed.toString('base64url'))).toThrow();
});
