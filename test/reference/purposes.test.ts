import { expect, it } from 'vitest';
import { isPurposeOfPayment, purposesOfPayment } from '../../src/reference/purposes.ts';

it('recognises the 25 purposes and nothing else', () => {
  expect(new Set(purposesOfPayment).size).toBe(25);
  expect(purposesOfPayment.every(isPurposeOfPayment)).toBe(true);
  for (const value of ['Advertising', '', undefined, null, 'toString', 1]) {
    expect(isPurposeOfPayment(value)).toBe(false);
  }
});
