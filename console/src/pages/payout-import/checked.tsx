import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { checkedWords, doneWords } from './sums-up.ts';
import { offerRefused } from './download.ts';
import { MakeBatch } from './make-batch.tsx';
import { ofKind, type RowOutcome } from './outcome.ts';
import type { Import } from './use-import.ts';

const words = texts.import;

const tones: Readonly<Record<RowOutcome['kind'], Tone>> = {
  fits: 'go',
  created: 'good',
  earlier: 'calm',
  failed: 'bad',
};

/** What needs a look comes first. */
const order: readonly RowOutcome['kind'][] = ['failed', 'earlier', 'created', 'fits'];

interface CheckedProps {
  readonly state: Extract<Import, { outcomes: unknown }>;
  onCreate(): void;
  onRestart(): void;
}

/** Every row with what would become of it, and then with what became of it. */
export function Checked({ state, onCreate, onRestart }: CheckedProps) {
  const { outcomes, step, fault } = state;
  const [asking, setAsking] = useState(false);
  const [fits, created, earlier, failed] = (['fits', 'created', 'earlier', 'failed'] as const).map(
    (kind) => ofKind(outcomes, kind),
  ) as [RowOutcome[], RowOutcome[], RowOutcome[], RowOutcome[]];
  const done = step === 'done';
  return (
    <div className="stack">
      <Note tone={failed.length > 0 ? 'wait' : 'good'}>
        {done
          ? doneWords(created.length, failed.length, earlier.length)
          : checkedWords(fits.length, failed.length, earlier.length)}
        {!done && fits.length > 0 && <Sums outcomes={fits} />}
      </Note>
      <FaultNote fault={fault} />
      <div className="row">
        {!done && fits.length > 0 && (
          <Button kind="primary" busy={step === 'creating'} onClick={() => setAsking(true)}>
            {step === 'creating' ? words.creating : words.create({ count: fits.length })}
          </Button>
        )}
        {step === 'checked' && <MakeBatch name={state.name} outcomes={outcomes} />}
        {failed.length > 0 && (
          <Button onClick={() => offerRefused(failed)}>{words.download}</Button>
        )}
        <Button kind="plain" onClick={onRestart}>
          {words.other}
        </Button>
      </div>
      <Card flush>
        <Rows outcomes={order.flatMap((kind) => ofKind(outcomes, kind))} />
      </Card>
      <Dialog
        title={words.confirm.title({ count: fits.length })}
        open={asking}
        onClose={() => setAsking(false)}
      >
        <Sums outcomes={fits} />
        <p>{words.confirm.text}</p>
        <div className="dialog-actions">
          <Button onClick={() => setAsking(false)}>{texts.action.cancel}</Button>
          <Button
            kind="primary"
            onClick={() => {
              setAsking(false);
              onCreate();
            }}
          >
            {words.create({ count: fits.length })}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

/** What the rows come to, by currency. */
function Sums({ outcomes }: { readonly outcomes: readonly RowOutcome[] }) {
  const sums = new Map<string, bigint>();
  for (const { row } of outcomes) {
    if (row.input === null) continue;
    const { currency, amountMinor } = row.input;
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amountMinor));
  }
  return [...sums].map(([currency, sum]) => (
    <p key={currency}>
      {`${words.sum}: `}
      <Amount minor={String(sum)} currency={currency} />
    </p>
  ));
}

function Rows({ outcomes }: { readonly outcomes: readonly RowOutcome[] }) {
  const { column } = words;
  return (
    <Table
      caption={words.caption}
      rows={outcomes}
      rowId={({ row }) => String(row.line)}
      columns={[
        { name: 'line', title: column.line, cell: ({ row }) => row.line },
        {
          name: 'outcome',
          title: column.outcome,
          cell: ({ kind }) => <StateMark tone={tones[kind]}>{words.outcome[kind]}</StateMark>,
        },
        {
          name: 'payee',
          title: column.payee,
          cell: ({ row }) => <code>{row.cells.beneficiary_id}</code>,
        },
        {
          name: 'amount',
          title: column.amount,
          align: 'end',
          cell: ({ row }) =>
            row.input === null ? (
              `${row.cells.amount} ${row.cells.currency}`
            ) : (
              <Amount minor={row.input.amountMinor} currency={row.input.currency} aligned />
            ),
        },
        {
          name: 'reference',
          title: column.reference,
          cell: ({ row }) => row.cells.external_ref,
        },
        { name: 'why', title: column.why, cell: (outcome) => <Why outcome={outcome} /> },
      ]}
    />
  );
}

function Why({ outcome: { kind, why, payoutId } }: { readonly outcome: RowOutcome }) {
  if (payoutId === null) return why;
  return (
    <>
      {kind === 'earlier' && words.earlier}
      <Link to="/payouts/$id" params={{ id: payoutId }}>
        {payoutId}
      </Link>
    </>
  );
}
