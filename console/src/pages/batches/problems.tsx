import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { Table } from '../../parts/table.tsx';
import { grouped, listed, texts } from '../../texts/texts.ts';
import { faultOfCode } from '../../values/fault.ts';
import { payoutBatchLeaveOutDocument } from '../../../../generated/console-types/pages/batches/batches.ts';
import type { ShownBatch } from './shown-batch.ts';

const words = texts.batches;

interface ProblemsProps {
  readonly batch: ShownBatch;
  onActed(): void;
}

/** Why rows are refused, by reason, with their numbers; in a draft they can be left out by these. */
export function Problems({ batch, onActed }: ProblemsProps) {
  const mayMake = useMay('payouts:write');
  const leaveOut = useAct(payoutBatchLeaveOutDocument);
  const { id, problems, state } = batch;
  if (problems.length === 0) return null;
  const leave = async (rows: readonly number[]) => {
    if ((await leaveOut.act({ id, rows: [...rows], leftOut: true })) === null) return;
    announce(words.wereLeft({ count: rows.length }));
    onActed();
  };
  return (
    <Card title={words.problems} flush>
      <FaultNote fault={leaveOut.fault} />
      <Table
        caption={words.problems}
        rows={problems}
        rowId={({ code, message }) => `${code} ${message}`}
        columns={[
          {
            name: 'why',
            title: words.why,
            cell: ({ code, message }) => {
              const { title, text } = faultOfCode(code, message);
              return (
                <>
                  {title}
                  {text !== '' && <div className="small muted">{text}</div>}
                </>
              );
            },
          },
          {
            name: 'rows',
            title: words.rows,
            cell: ({ rows, firstRows }) =>
              rows > firstRows.length
                ? words.rowsAndMore({ rows: listed(firstRows.map(String)), n: rows })
                : listed(firstRows.map(String)),
          },
          {
            name: 'count',
            title: words.count,
            align: 'end',
            cell: ({ rows }) => grouped(rows),
          },
          {
            name: 'act',
            title: <span className="hidden">{words.leaveOut}</span>,
            cell: ({ firstRows }) =>
              mayMake &&
              state === 'draft' && (
                <Button busy={leaveOut.busy} onClick={() => void leave(firstRows)}>
                  {words.leaveRows({ count: firstRows.length })}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}
