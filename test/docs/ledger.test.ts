import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ledgerKinds } from '../../src/domain/ledger/names.ts';
import { postings } from '../../src/domain/ledger/postings.ts';

/** The rows of the table whose head is `head`, each as the texts of its cells. */
function tableOf(page: string, head: string): string[][] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.replaceAll(/\s+/g, ' ') === head);
  const end = lines.indexOf('', start);
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

it('docs/ledger.md has the postings and the kinds of entries', async () => {
  const page = await readFile('docs/ledger.md', 'utf8');
  expect(tableOf(page, '| from | to | entry | debit | credit |')).toEqual(
    postings.map(({ from, to, kind, debit, credit }) => [from, to, kind, debit, credit]),
  );
  const kinds = tableOf(page, '| kind | debit | credit | when |').map(([kind]) => kind);
  expect(kinds).toEqual([...ledgerKinds]);
});
