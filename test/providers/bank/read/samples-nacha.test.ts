import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rails, railsMissing } from '../config.ts';
import { ofKind, readSample } from './support.ts';

const read = (file: string) => readSample(`nacha/${file}`);

describe.skipIf(railsMissing !== null)(`NACHA files of others ${railsMissing ?? ''}`, () => {
  it('has a test for every sample', () => {
    expect(readdirSync(join(rails, 'nacha'))).toEqual([
      'ccd-debit.ach',
      'contested-return.ach',
      'cor-example.ach',
      'cor-read.ach',
      'ppd-credit.ach',
      'ppd-mixedDebitCredit.ach',
      'return-WEB.ach',
    ]);
  });

  it('reads entries that were sent', async () => {
    const [file, ...debits] = await read('ccd-debit.ach');
    expect(file).toMatchObject({
      format: 'nacha',
      messageId: '12345678',
      createdAt: '2019-08-16T10:55',
    });
    expect(debits).toMatchObject([
      { kind: 'ach_entry', entryClass: 'CCD', direction: 'debit', amount: { minor: 500_000n } },
      { identification: 'Fee123456789012', amount: { minor: 125n, currency: 'USD' } },
    ]);
    expect(ofKind(await read('ppd-credit.ach'), 'ach_entry')).toMatchObject([
      {
        transactionCode: '22',
        routingNumber: '231380104',
        accountNumber: '987654321',
        amount: { minor: 100_000_000n },
        traceNumber: '121042880000002',
      },
    ]);
    const mixed = ofKind(await read('ppd-mixedDebitCredit.ach'), 'ach_entry');
    expect(mixed.map(({ direction, name }) => `${direction} ${name}`)).toEqual([
      'debit Debit Account',
      'credit Credit Account 1',
      'credit Credit Account 2',
    ]);
  });

  it('reads returns of a debit and of a credit', async () => {
    expect(ofKind(await read('return-WEB.ach'), 'ach_return')).toMatchObject([
      {
        form: 'return',
        code: 'R01',
        direction: 'debit',
        amount: { minor: 12_354n },
        originalTraceNumber: '091400600000001',
        name: 'Paul Jones',
      },
      {
        form: 'return',
        code: 'R03',
        direction: 'credit',
        amount: { minor: 4_565n },
        originalTraceNumber: '091400600000003',
        identification: 'NmRjZTJmMzItMGN',
        place: { line: 8, path: null },
      },
    ]);
  });

  it('tells a dishonored and a contested return from a return', async () => {
    expect(ofKind(await read('contested-return.ach'), 'ach_return')).toMatchObject([
      {
        form: 'return',
        code: 'R07',
        originalTraceNumber: '099912340000015',
        text: 'Authorization Revoked',
      },
      {
        form: 'dishonored',
        code: 'R68',
        originalTraceNumber: '059999990000301',
        returnCode: 'R01',
        dishonorCode: null,
        text: 'Untimely Return',
      },
      { form: 'contested', code: 'R71', returnCode: 'R01', dishonorCode: 'R67', text: null },
    ]);
  });

  it.each(['cor-example.ach', 'cor-read.ach'])(
    'reads the new account number of %s',
    async (file) => {
      expect(ofKind(await read(file), 'ach_change')).toMatchObject([
        {
          entryClass: 'COR',
          code: 'C01',
          refused: false,
          originalTraceNumber: '121042880000001',
          corrected: '1918171614',
          correction: { accountNumber: '1918171614', routingNumber: null },
          accountNumber: '744-5678-99',
          identification: 'location #23',
        },
      ]);
    },
  );
});
