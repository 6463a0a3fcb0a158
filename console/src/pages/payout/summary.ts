import { texts } from '../../texts/texts.ts';

const words = texts.payout.timeline;

/** A change of state in words; what stands behind it is somebody's own text. */
function stateWords(summary: string): string {
  const [, from, to, rest = ''] = /^(\w+) → (\w+)(.*)$/s.exec(summary) ?? [];
  if (from === undefined || to === undefined) return summary;
  const named: Readonly<Record<string, string>> = { ...texts.states, new: words.begins };
  return `${named[from] ?? from} → ${named[to] ?? to}${rest}`;
}

/**
 * An entry of the books in words. Its summary names the debit account first; every account holds money, so the
 * amount goes from the credited one to the debited one. A hold and its release move nothing (docs/ledger.md).
 */
function entryWords(summary: string): string {
  const [, kind = '', debit = '', credit = ''] = /^(\w+), (\w+) → (\w+)$/.exec(summary) ?? [];
  const kinds: Readonly<Record<string, string>> = words.entries;
  const accounts: Readonly<Record<string, string>> = words.accounts;
  const name = kinds[kind];
  if (name === undefined) return summary;
  if (kind === 'hold' || kind === 'release') return name;
  return words.moved({
    what: name,
    from: accounts[credit] ?? credit,
    to: accounts[debit] ?? debit,
  });
}

/** What an entry of the timeline says, in the words of the catalogue where it has some. */
export function summaryWords(kind: keyof typeof words.kinds, summary: string): string {
  if (kind === 'transition') return stateWords(summary);
  return kind === 'ledger_entry' ? entryWords(summary) : summary;
}
