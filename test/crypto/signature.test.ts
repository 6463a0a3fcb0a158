import { expect, it } from 'vitest';
import { sign, verify } from '../../src/crypto/signature.ts';

const secret = 'whsec_test';
const body = Buffer.from('{"id": 1}');
const at = 1_800_000_000;
const signature = sign(secret, at, body);

it('holds for 300 seconds before and after its time, and no longer', () => {
  for (const now of [at - 300, at, at + 300]) {
    expect(verify(secret, signature, body, now)).toBe('valid');
  }
  for (const now of [at - 301, at + 301]) {
    expect(verify(secret, signature, body, now)).toBe('expired');
  }
});

it('is of these bytes, this time and this secret', () => {
  expect(verify(secret, signature, Buffer.from('{"id":1}'), at)).toBe('mismatch');
  expect(verify('whsec_other', signature, body, at)).toBe('mismatch');
  expect(verify(secret, signature.replace(`t=${at}`, `t=${at + 1}`), body, at)).toBe('mismatch');
  // The time and the body are kept apart: what moves from one to the other is another text.
  const moved = sign(secret, at / 10, Buffer.from(`0.${String(body)}`)).replace(
    `t=${at / 10}`,
    `t=${at}`,
  );
  expect(verify(secret, moved, body, at)).toBe('mismatch');
});

const hex = signature.slice(-64);
it.each([
  undefined,
  '',
  `t=${at}`,
  `v1=${hex}`,
  `t=${at},v1=${hex}0`,
  `t=${at},v1=${hex.slice(1)}`,
  `t=${at},v1=${hex.toUpperCase()}`,
  `t=${at},v1=${'g'.repeat(64)}`,
  `t=-${at},v1=${hex}`,
  `t=${'9'.repeat(13)},v1=${hex}`,
  `t=${at},v1=${hex},v1=${hex}`,
  ` t=${at},v1=${hex}`,
])('is malformed: %s', (header) => {
  expect(verify(secret, header, body, at)).toBe('malformed');
});
