import { expect, it } from 'vitest';
import { declineProposal, takeProposal } from '../../../src/domain/bank-file/proposal.ts';
import { openDestination } from '../../../src/domain/bank-account/details.ts';
import { achFile } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';
import { behind, within } from '../../support/behind.ts';

const world = useBankInbox();

interface ProposalRow {
  readonly id: string;
  readonly status: string;
  readonly code: string;
  readonly correction_ciphertext: Buffer | null;
  readonly bank_account_id: string;
  readonly bank_account_version: number;
}

const proposals = () =>
  world.sql<ProposalRow & Record<string, unknown>>(
    'SELECT * FROM bank_account_proposal ORDER BY id',
  );

async function proposed(): Promise<ProposalRow> {
  const [one] = (await world.sent(1)) as [Sent];
  const file = achFile([{ trace: one.trace ?? '', code: 'C01', corrected: '1918171614' }]);
  await world.take(file);
  const [proposal, ...others] = await proposals();
  expect(others).toEqual([]);
  if (proposal === undefined) throw new Error('a notification of change makes a proposal');
  return proposal;
}

it('proposes what a bank corrects, encrypted, and changes nothing by itself', async () => {
  const proposal = await proposed();
  expect(proposal).toMatchObject({ status: 'open', code: 'C01', bank_account_version: 1 });
  expect(proposal.correction_ciphertext?.toString('latin1')).not.toContain('1918171614');
  const versions = await world.sql('SELECT version FROM bank_account_version');
  expect(versions).toEqual([{ version: 1 }]);
});

it('makes a new version of the account when a person takes it, once', async () => {
  const { id, bank_account_id: account } = await proposed();
  const taken = await takeProposal(world.call, id);
  expect(taken).toMatchObject({ status: 'taken', correctionCiphertext: null });
  expect(await openDestination(world.call, account, 2)).toMatchObject({
    accountNumber: '1918171614',
  });
  await expect(takeProposal(world.call, id)).rejects.toMatchObject({ code: 'conflict' });
  await expect(declineProposal(world.call, id)).rejects.toMatchObject({ code: 'conflict' });
});

it('leaves the account alone when a person declines it', async () => {
  const { id } = await proposed();
  expect(await declineProposal(world.call, id)).toMatchObject({ status: 'declined' });
  await expect(takeProposal(world.call, id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await world.sql('SELECT version FROM bank_account_version')).toEqual([{ version: 1 }]);
});

it('refuses details that are wrong too, and those of an account that was changed meanwhile', async () => {
  const [one] = (await world.sent(1)) as [Sent];
  const answers = [
    { trace: one.trace ?? '', code: 'C02', corrected: '123456789' },
    { trace: one.trace ?? '', code: 'C01', corrected: '1918171614' },
    { trace: one.trace ?? '', code: 'C01', corrected: '5551234' },
  ];
  await world.take(achFile(answers));
  // The same notifications in another file are the same proposals.
  await world.take(achFile(answers, '261203'));
  expect(await proposals()).toHaveLength(3);
  const [wrong, right, late] = (await proposals()).map(({ id }) => id);
  await expect(takeProposal(world.call, wrong ?? '')).rejects.toMatchObject({
    code: 'BANK_ACCOUNT_VALIDATION_FAILED',
  });
  await takeProposal(world.call, right ?? '');
  await expect(takeProposal(world.call, late ?? '')).rejects.toMatchObject({ code: 'conflict' });
});

it('has one end when a person takes it while another declines it', async () => {
  const { id } = await proposed();
  const { pool } = world.call.services;
  const taking = behind(
    pool,
    (client) => declineProposal(within(world.call, client), id),
    () => takeProposal(world.call, id),
  );
  await expect(taking).rejects.toMatchObject({ code: 'conflict' });
  expect(await proposals()).toMatchObject([{ status: 'declined' }]);
  expect(await world.sql('SELECT version FROM bank_account_version')).toEqual([{ version: 1 }]);
});

it('makes one version when two people take it at the same moment', async () => {
  const { id } = await proposed();
  const { pool } = world.call.services;
  const second = behind(
    pool,
    (client) => takeProposal(within(world.call, client), id),
    () => takeProposal(world.call, id),
  );
  await expect(second).rejects.toMatchObject({ code: 'conflict' });
  expect(await proposals()).toMatchObject([{ status: 'taken' }]);
  expect(await world.sql('SELECT version FROM bank_account_version')).toHaveLength(2);
});

it('knows no proposal of another tenant', async () => {
  await expect(takeProposal(world.call, 'bap_01k00000000000000000000000')).rejects.toMatchObject({
    code: 'not_found',
  });
});
