import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChanges } from '../../app/changes.ts';
import { Card } from '../../parts/card.tsx';
import { Note } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { DecisionBar, Selection } from './actions.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import { Details } from './details.tsx';
import { Outcome, type Decided } from './outcome.tsx';
import { QueueTable } from './queue-table.tsx';
import { fitFor, nameOf, versionOf, type Decision, type WaitingPayout } from './rows.ts';
import { useActive } from './use-active.ts';
import { useLeft } from './use-left.ts';
import { mostSelected, type Selected } from './use-selected.ts';

interface QueueProps {
  /** Names the page of the list. */
  readonly listKey: string;
  readonly rows: readonly WaitingPayout[];
  readonly selection: Selected;
  readonly mayDecide: boolean;
  onDecided(): void;
  /** Stands in place of the table where nothing waits. */
  readonly blank: ReactNode;
  readonly pager: ReactNode;
}

interface Asking {
  readonly decision: Decision;
  readonly ids: readonly string[];
}

/** The list, the payout that is shown beside it, and the decision that is asked for. */
export function Queue(props: QueueProps) {
  const { listKey, rows, selection, mayDecide, onDecided, blank, pager } = props;
  const { chosen, elsewhere } = selection;
  const selected = new Set(chosen.map(({ id }) => id));
  const [asking, setAsking] = useState<Asking | null>(null);
  const [decided, setDecided] = useState<Decided | null>(null);
  const changedHere = useChanges(listKey, rows, versionOf);
  const changed = new Set([...changedHere, ...selection.changed]);
  const left = useLeft(listKey, rows);
  const { active, show, step } = useActive(rows);
  const navigate = useNavigate();
  const about = chosen.length > 0 ? chosen : active === null ? [] : [active];

  const ids = about.map(({ id }) => id);
  const [barred, setBarred] = useState<string | null>(null);

  const ask = (decision: Decision) => {
    if (!mayDecide || about.length === 0) return;
    setDecided(null);
    const isPossible = fitFor(decision, about).length > 0;
    setBarred(isPossible ? null : ids.join());
    if (isPossible) setAsking({ decision, ids });
  };
  const asked = [...rows, ...elsewhere].filter(({ id }) => asking?.ids.includes(id));
  const done = (outcome: Decided) => {
    left.expect(outcome.done);
    setAsking(null);
    selection.clear();
    setDecided(outcome);
    onDecided();
  };
  return (
    <div className="stack">
      <Outcome decided={decided} />
      {left.gone.map((row) => (
        <Note key={row.id} tone="wait">
          {texts.approvals.gone({ name: nameOf(row), amount: left.amountOf(row) })}
        </Note>
      ))}
      {rows.length === 0 ? (
        blank
      ) : (
        <div>
          <div className="approvals">
            <Card flush>
              {mayDecide && (
                <Selection
                  all={rows.every(({ id }) => selected.has(id))}
                  elsewhere={elsewhere.length}
                  isFull={chosen.length >= mostSelected}
                  onToggleAll={selection.toggleAll}
                  onClear={selection.clear}
                />
              )}
              <QueueTable
                rows={rows}
                active={active}
                selected={selected}
                changed={changed}
                selectable={mayDecide}
                onShow={show}
                onToggle={selection.toggle}
                keys={{
                  j: () => step(1),
                  ArrowDown: () => step(1),
                  k: () => step(-1),
                  ArrowUp: () => step(-1),
                  x: () => active !== null && mayDecide && selection.toggle(active),
                  a: () => ask('approve'),
                  r: () => ask('reject'),
                  o: () =>
                    active !== null &&
                    void navigate({ to: '/payouts/$id', params: { id: active.id } }),
                }}
              />
              {pager}
            </Card>
            {active !== null && <Details key={active.id} row={active} onDone={onDecided} />}
          </div>
          {mayDecide && (
            <DecisionBar
              about={about}
              chosen={chosen.length > 0}
              barred={barred === ids.join()}
              onAsk={ask}
            />
          )}
        </div>
      )}
      <DecisionDialog
        decision={asking?.decision ?? null}
        rows={asked}
        gone={(asking?.ids.length ?? 0) - asked.length}
        changed={changed}
        onClose={() => setAsking(null)}
        onDone={done}
      />
    </div>
  );
}
