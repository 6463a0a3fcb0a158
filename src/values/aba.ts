const weights = [3, 7, 1];

/** The sum of ASCII digits weighted 3, 7, 1, 3, …, which ABA numbers and CLABEs share. */
export function weightedSum(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    sum += Number(digits.charAt(index)) * (weights[index % 3] ?? 0);
  }
  return sum;
}

/**
 * Nine digits, of which the first two are assigned: 00 the government, 01–12 the Federal Reserve
 * districts, 21–32 thrifts, 61–72 electronic, 80 traveller's cheques.
 */
export const abaPattern = '^(0[0-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)[0-9]{7}$';

const assigned = new RegExp(abaPattern);

/**
 * Whether `text` is a US routing number: nine digits, the 3-7-1 sum divisible by ten, an assigned
 * prefix. Nine zeros satisfy all rules and are nobody's number.
 */
export function isAbaNumber(text: string): boolean {
  return assigned.test(text) && text !== '000000000' && weightedSum(text) % 10 === 0;
}
