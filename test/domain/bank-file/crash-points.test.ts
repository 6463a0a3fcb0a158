import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { fetchBankFiles } from '../../../src/domain/bank-file/fetch.ts';
import { statement } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';

const world = useBankInbox();
const program = join(import.meta.dirname, 'programs/dying-reader.ts');

/** Takes the files of the bank in a process of its own; resolves with the signal that ended it, or null. */
async function work(point: string): Promise<string | null> {
  const { url } = world.harness.database;
  const folder = dirname(dirname(world.out()));
  const given = [point, url, folder, world.tenant.tenantId, world.bank.connection];
  const child = spawn(process.execPath, [program, ...given], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (part: Buffer) => void (told += part.toString()));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal === null && code !== 0) throw new Error(told);
  return signal;
}

const due = async () => [
  ...(await world.jobs('fetch_connection_files')),
  ...(await world.jobs('read_bank_file')),
  ...(await world.jobs('apply_bank_file')),
];

it.each([
  'bank_file_arriving',
  'bank_file_stored',
  'bank_file_archived',
  'bank_file_staged',
  'bank_file_read',
  'bank_file_page',
  'bank_file_applied',
] as const)('a worker that dies at %s loses and doubles nothing', async (point) => {
  const all = (await world.sent(2)) as [Sent, Sent];
  const inbox = join(dirname(world.out()), 'in');
  await mkdir(inbox, { recursive: true });
  const debits = all.map(({ payout, attempt }) => ({
    direction: 'debit' as const,
    amount: '1250.00',
    payout,
    attempt,
  }));
  const fee = { direction: 'debit', amount: '1.50', reference: 'F', code: 'MDOP CHRG' } as const;
  const shown = { account: '000123456789', currency: 'USD', day: '2026-11-30' };
  const movements = [...debits, fee];
  await writeFile(join(inbox, 'one.xml'), statement({ ...shown, movements, closing: '7498.50' }));

  if (point === 'bank_file_applied') {
    // The file is applied when the events that it told are, so this point comes with a later run.
    expect(await work('')).toBeNull();
    await world.applyEvents();
  }
  expect(await work(point)).toBe('SIGKILL');

  // What a worker that begins anew finds to do, when nothing but the database is left.
  await world.forgetJobs();
  await world.sql(`UPDATE bank_file SET received_at = received_at - interval '2 hours'`);
  await fetchBankFiles(world.call.services);
  if (point !== 'bank_file_applied') expect((await due()).length).toBeGreaterThan(0);
  expect(await world.sql(`SELECT 1 FROM bank_file WHERE status = 'arriving'`)).toEqual([]);

  expect(await work('')).toBeNull();
  await world.applyEvents();
  expect(await work('')).toBeNull();
  expect(await Promise.all(all.map(({ payout }) => world.stateOf(payout)))).toEqual([
    'disbursed',
    'disbursed',
  ]);
  expect((await world.lines()).map(({ match }) => match).toSorted()).toEqual([
    'fee',
    'payout',
    'payout',
  ]);
  const [file, ...others] = await world.sql<{ applied_at: Date | null }>('SELECT * FROM bank_file');
  expect(others).toEqual([]);
  expect(file).toMatchObject({ status: 'read', chunks: 1, applied_at: expect.any(Date) as Date });
  expect(await world.sql('SELECT 1 FROM bank_report')).toEqual([]);
  expect(await world.sql('SELECT count(*)::integer AS n FROM bank_file_chunk')).toEqual([{ n: 1 }]);
  expect(await world.contradictions()).toEqual([]);
  const fees = `SELECT count(*)::integer AS n FROM ledger_entry WHERE kind = 'fee'`;
  expect(await world.sql(fees)).toEqual([{ n: 1 }]);
  const funds = await world.sql(
    `SELECT available_balance_minor AS minor FROM funding_account WHERE tenant_id = $1`,
    [world.tenant.tenantId],
  );
  expect(funds).toEqual([{ minor: '749850' }]);
  expect(await world.sql('SELECT * FROM ops.ledger_imbalances')).toEqual([]);
  expect(await readdir(inbox)).toEqual(['archive']);
});
