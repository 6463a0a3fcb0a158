import { Link } from '@tanstack/react-router';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { failureWords } from '../../values/failure-words.ts';
import type { ShownPayout } from './shown.ts';

const words = texts.payout.chain;

/** The payouts that replaced each other; nothing for one that stands alone. */
export function Chain({ payout }: { readonly payout: ShownPayout }) {
  const { replacementChain: chain } = payout;
  if (chain.length < 2) return null;
  return (
    <Card title={words.title}>
      <p className="muted">{words.lead}</p>
      <ol className="chain">
        {chain.map(({ id, state, amountMinor, currency, createdAt, failureCode }) => (
          <li key={id} aria-current={id === payout.id}>
            {id === payout.id ? (
              <strong>
                <Amount minor={amountMinor} currency={currency} /> {words.here}
              </strong>
            ) : (
              <Link to="/payouts/$id" params={{ id }}>
                <Amount minor={amountMinor} currency={currency} />
              </Link>
            )}{' '}
            <PayoutStateMark state={state} />
            <span className="muted">
              <Time at={createdAt} />
              {failureCode !== null && ` · ${failureWords(failureCode)}`}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
