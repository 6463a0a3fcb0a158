import { holdings, type Holding } from '../../src/domain/personal/holdings.ts';

const cleared = ({ clears }: Holding): string =>
  Object.keys(clears)
    .map((column) => `\`${column}\``)
    .join(', ');

const goes: Record<Holding['deleted'], (holding: Holding) => string> = {
  always: () => 'the rows',
  without_payouts: cleared,
  never: (holding) => cleared(holding) || 'nothing',
};

/** The table of where personal data is held as Markdown, in the order in which an erasure goes through it. */
export function holdingsTable(): string {
  const rows = holdings.map((holding) => {
    const { table, deleted, stays } = holding;
    const without = deleted === 'never' ? '' : 'deleted';
    return `| \`${table.replace('public.', '')}\` | ${without} | ${goes[deleted](holding)} | ${stays} |`;
  });
  return [
    '| Table | Payee without payouts | What an erasure clears otherwise | What stays |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
