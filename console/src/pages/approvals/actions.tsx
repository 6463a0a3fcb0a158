import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Note } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { Barred } from './heed.tsx';
import { fitFor, nameOf, type Decision, type WaitingPayout } from './rows.ts';
import { Sums } from './sums.tsx';
import { mostSelected } from './use-selected.ts';

const words = texts.approvals;

interface SelectionProps {
  /** Whether every payout of the page is selected. */
  readonly all: boolean;
  /** How many are selected on other pages. */
  readonly elsewhere: number;
  readonly isFull: boolean;
  onToggleAll(): void;
  onClear(): void;
}

/** Above the list: all of it at once, and the keys that work in it. */
export function Selection({ all, elsewhere, isFull, onToggleAll, onClear }: SelectionProps) {
  return (
    <div className="queue-head">
      <label className="row">
        <input type="checkbox" checked={all} onChange={onToggleAll} />
        {words.selectAll}
      </label>
      {elsewhere > 0 && (
        <span className="row muted">
          {words.elsewhere({ count: elsewhere })}
          {isFull && words.full({ n: mostSelected })}
          <Button kind="plain" onClick={onClear}>
            {words.selectNone}
          </Button>
        </span>
      )}
      <div className="queue-keys">
        <Menu label={words.keys.title}>
          <div className="keys">
            <p>{words.keys.hint}</p>
            <dl>
              {Object.entries(words.keys.list).map(([keys, meaning]) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </div>
        </Menu>
      </div>
    </div>
  );
}

interface DecisionBarProps {
  /** Those that are selected, or else the one that is shown. */
  readonly about: readonly WaitingPayout[];
  /** Whether they were selected. */
  readonly chosen: boolean;
  /** Whether an approval was asked for, of which none is possible. */
  readonly barred: boolean;
  onAsk(decision: Decision): void;
}

/** Below what is decided on, and always in sight: what the decision is about, and the decision. */
export function DecisionBar({ about, chosen, barred, onAsk }: DecisionBarProps) {
  const [only] = about;
  const fit = fitFor('approve', about).length;
  return (
    <section className="decision" aria-label={words.decision}>
      <div role="alert">
        {barred && (
          <Note tone="wait">
            <p>{words.ask.nothing({ count: about.length })}</p>
            <Barred rows={about} />
          </Note>
        )}
      </div>
      <p>
        {chosen || only === undefined ? (
          <>
            {words.selected({ count: about.length })}
            <Sums rows={about} />
            {fit < about.length && (
              <span className="muted small">
                {fit === 0 ? words.canApproveNone : words.canApprove({ n: fit })}
              </span>
            )}
          </>
        ) : (
          <>
            <span className="decision-name">{nameOf(only)}</span>
            <Amount minor={only.amountMinor} currency={only.currency} />
          </>
        )}
      </p>
      <div className="row">
        <Button kind="danger" onClick={() => onAsk('reject')}>
          {words.reject} <kbd>{words.keys.reject}</kbd>
        </Button>
        <Button kind="primary" onClick={() => onAsk('approve')}>
          {words.approve} <kbd>{words.keys.approve}</kbd>
        </Button>
      </div>
    </section>
  );
}
