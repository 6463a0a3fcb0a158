import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abaFault, compactNumber } from '../../../src/domain/bank-account/aba.ts';
import { bicFault, compactBic } from '../../../src/domain/bank-account/bic.ts';
import { clabeFault } from '../../../src/domain/bank-account/clabe.ts';
import { compactPixKey, pixKeyFault } from '../../../src/domain/bank-account/pix.ts';

const prefixes = [
  ...Array.from({ length: 13 }, (_, n) => n),
  ...Array.from({ length: 12 }, (_, n) => 21 + n),
  ...Array.from({ length: 12 }, (_, n) => 61 + n),
  80,
].map((n) => String(n).padStart(2, '0'));

/** The ninth digit that makes the 3-7-1 sum a multiple of ten. */
function withAbaCheck(first: string): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = [...first].map(Number);
  const sum = 3 * (a + d + g) + 7 * (b + e + h) + (c + f);
  return `${first}${(10 - (sum % 10)) % 10}`;
}

const sixDigits = fc.stringMatching(/^[0-9]{6}$/);
const anyAba = fc
  .tuple(fc.constantFrom(...prefixes), sixDigits)
  .map(([prefix, rest]) => withAbaCheck(prefix + rest))
  .filter((aba) => aba !== '000000000');

function replaceDigit(number: string, index: number, by: number): string {
  const digit = (Number(number.charAt(index)) + by) % 10;
  return number.slice(0, index) + String(digit) + number.slice(index + 1);
}

describe('ABA routing numbers', () => {
  it.each([
    ['021000021'],
    ['011401533'],
    ['091000019'],
    ['121000248'],
    ['322271627'],
    ['800000019'],
  ])('takes %s', (aba) => {
    expect(abaFault(aba)).toBeNull();
  });

  it('takes every number with an assigned prefix and a good sum, refuses any other last digit', () => {
    fc.assert(
      fc.property(anyAba, fc.integer({ min: 1, max: 9 }), fc.nat(8), (aba, by, at) => {
        expect(abaFault(aba)).toBeNull();
        // The weights 3, 7 and 1 share no factor with ten, so one changed digit always shows.
        expect(abaFault(replaceDigit(aba, at, by))?.code).toBe('aba_checksum_failed');
      }),
    );
  });

  it('finds two swapped neighbours unless they differ by five, which 3-7-1 cannot see', () => {
    fc.assert(
      fc.property(anyAba, fc.integer({ min: 2, max: 7 }), (aba, at) => {
        const [first, second] = [aba.charAt(at), aba.charAt(at + 1)];
        const wrong = aba.slice(0, at) + second + first + aba.slice(at + 2);
        const invisible = (Number(first) - Number(second)) % 5 === 0;
        expect(abaFault(wrong)?.code).toBe(invisible ? undefined : 'aba_checksum_failed');
      }),
    );
  });

  it('refuses a good sum with an unassigned prefix', () => {
    const all = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
    for (const prefix of all.filter((candidate) => !prefixes.includes(candidate))) {
      expect(abaFault(withAbaCheck(`${prefix}000001`))?.code).toBe('aba_format_invalid');
    }
  });

  it.each([['000000000'], [''], ['02100002'], ['0210000211'], ['02100002a'], ['０21000021']])(
    'refuses %s as malformed',
    (aba) => {
      expect(abaFault(aba)?.code).toBe('aba_format_invalid');
    },
  );

  it('is read without spaces and dashes', () => {
    expect(compactNumber(' 0210 0002-1')).toBe('021000021');
  });
});

describe('CLABE', () => {
  it.each([['032180000118359719'], ['002010077777777771'], ['646180157042875763']])(
    'takes %s',
    (clabe) => {
      expect(clabeFault(clabe)).toBeNull();
    },
  );

  it('has exactly one check digit for 17 digits, and shows any changed digit', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[0-9]{17}$/),
        fc.nat(17),
        fc.integer({ min: 1, max: 9 }),
        (first, at, by) => {
          const good = '0123456789'
            .split('')
            .map((d) => first + d)
            .filter((c) => clabeFault(c) === null);
          expect(good).toHaveLength(1);
          const wrong = replaceDigit(good[0] ?? '', at, by);
          expect(clabeFault(wrong)?.code).toBe('clabe_checksum_failed');
        },
      ),
    );
  });

  it.each([['03218000011835971'], ['0321800001183597199'], ['03218000011835971X'], ['']])(
    'refuses %s',
    (clabe) => {
      expect(clabeFault(clabe)?.code).toBe('clabe_checksum_failed');
    },
  );
});

describe('BIC', () => {
  it.each([
    ['DEUTDEFF'],
    ['DEUTDEFF500'],
    ['NEDSZAJJXXX'],
    ['ABNANL2A'],
    ['NCBVXKPR'],
    ['A1B2GB21'],
  ])('takes %s', (bic) => {
    expect(bicFault(bic)).toBeNull();
  });

  it.each([
    ['DEUTDEF'],
    ['DEUTDEFF5'],
    ['DEUTDEFF5000'],
    ['DEUTZZFF'],
    ['DEUT1EFF'],
    ['DEUTDEF-'],
    [''],
  ])('refuses %s', (bic) => {
    expect(bicFault(bic)?.code).toBe('bic_format_invalid');
  });

  it('is read in upper case without spaces', () => {
    expect(compactBic(' deut de ff 500 ')).toBe('DEUTDEFF500');
  });
});

describe('PIX keys', () => {
  it.each([
    ['123.456.789-09', '12345678909'],
    ['12345678909', '12345678909'],
    ['12.345.678/0001-95', '12345678000195'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
    ['+55 11 91234-5678', '+5511912345678'],
    ['Ada@Example.COM.br', 'ada@example.com.br'],
    ['123E4567-E89B-12D3-A456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
  ])('takes %s as %s', (written, stored) => {
    expect(compactPixKey(written)).toBe(stored);
    expect(pixKeyFault(stored)).toBeNull();
  });

  it.each([
    ['1234567890'],
    ['123456789012'],
    ['+551191'],
    ['5511 91234'],
    ['ada@'],
    ['@example.com'],
    [`${'a'.repeat(70)}@example.com`],
    ['123e4567-e89b-12d3-a456-42661417400'],
    ['random'],
  ])('refuses %s', (written) => {
    expect(pixKeyFault(compactPixKey(written))?.code).toBe('pix_key_format_invalid');
  });
});
