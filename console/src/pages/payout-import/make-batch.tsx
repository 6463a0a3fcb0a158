import { useNavigate } from '@tanstack/react-router';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { importAsBatchDocument } from '../../../../generated/console-types/pages/payout-import/import.ts';
import type { RowOutcome } from './outcome.ts';
import { keyOf } from './row-key.ts';

const words = texts.batches;

/** Makes the draft of a batch of the rows that could be read and were not paid before, and leads to it. */
export function MakeBatch({
  name,
  outcomes,
}: {
  readonly name: string;
  readonly outcomes: readonly RowOutcome[];
}) {
  const navigate = useNavigate();
  const { act, busy, fault } = useAct(importAsBatchDocument);
  const inputs = outcomes.flatMap(({ kind, row: { input } }) =>
    input === null || kind === 'earlier' ? [] : [input],
  );
  if (inputs.length === 0) return null;
  const make = async () => {
    // The same rows make the same batch, however often the file is chosen.
    const key = await keyOf({ name, rows: inputs.map((one) => one.idempotencyKey).join(' ') });
    const rows = inputs.map(({ idempotencyKey: _own, ...row }) => row);
    const data = await act({ name, key: `batch-${key}`, rows });
    const batch = data?.payoutBatchCreate?.batch;
    if (batch) await navigate({ to: '/payouts/batches/$id', params: batch, search: {} });
  };
  return (
    <>
      <Button busy={busy} onClick={() => void make()}>
        {words.create({ count: inputs.length })}
      </Button>
      <FaultNote fault={fault} />
    </>
  );
}
