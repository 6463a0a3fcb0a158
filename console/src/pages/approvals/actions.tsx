import { Button } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { texts } from '../../texts/en.ts';
import type { Decision } from './rows.ts';

const words = texts.approvals;

interface ActionsProps {
  readonly selected: number;
  /** Whether every payout of the page is selected. */
  readonly all: boolean;
  onToggleAll(): void;
  onAsk(decision: Decision): void;
}

/** What can be done with the payouts that are selected, or with the one that is shown; and by which keys. */
export function Actions({ selected, all, onToggleAll, onAsk }: ActionsProps) {
  return (
    <div className="queue-actions">
      <label className="row">
        <input type="checkbox" checked={all} onChange={onToggleAll} />
        {words.selectAll}
      </label>
      <div className="row">
        <Button kind="primary" onClick={() => onAsk('approve')}>
          {words.approve} <kbd>{words.keys.approve}</kbd>
        </Button>
        <Button kind="danger" onClick={() => onAsk('reject')}>
          {words.reject} <kbd>{words.keys.reject}</kbd>
        </Button>
        <Menu label={words.keys.title}>
          <div className="keys">
            <p>{words.keys.hint}</p>
            <dl>
              {words.keys.list.map(([keys, meaning]) => (
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
      <p className="muted small">{selected === 0 ? words.none : words.selected(selected)}</p>
    </div>
  );
}
