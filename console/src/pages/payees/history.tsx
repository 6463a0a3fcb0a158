import { Card } from '../../parts/card.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { listed, textFor, texts } from '../../texts/texts.ts';
import { authorName } from '../../values/author.ts';
import type { Payee } from './payee.ts';

const words = texts.payees;

type Change = Payee['history'][number];

/** What happened, and which details changed: their names alone, since the values are the payee's own. */
function whatOf({ kind, fields }: Change): string {
  const what = textFor(words.kinds, kind) ?? kind;
  if (fields.length === 0) return what;
  const names = fields.map((field) => textFor(words.fieldNames, field) ?? field);
  return words.changedFields({ what, fields: listed(names) });
}

/** What changed of a payee and by whom, the latest first. */
export function History({ payee }: { readonly payee: Payee }) {
  return (
    <Card title={words.history} flush>
      <Table
        caption={words.history}
        rows={payee.history.toReversed()}
        rowId={({ seq }) => String(seq)}
        columns={[
          { name: 'what', title: words.what, cell: whatOf },
          {
            name: 'who',
            title: words.who,
            cell: ({ author }) => (author === null ? '–' : authorName(author)),
          },
          { name: 'reason', title: words.reason, cell: ({ reason }) => reason ?? '–' },
          { name: 'when', title: words.when, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
        ]}
      />
    </Card>
  );
}
