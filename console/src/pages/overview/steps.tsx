import { Link, type LinkProps } from '@tanstack/react-router';
import type { OverviewQuery } from '../../../../generated/console-types/graphql.ts';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.overview.steps;

const ways = {
  payee: '/payees/new',
  funds: '/money',
  payout: '/payouts/new',
  approval: '/approvals',
} as const satisfies Record<string, NonNullable<LinkProps['to']>>;
type Step = keyof typeof ways;

/** Which of the steps are done. */
function doneOf({ anyPayee, anyPayout, anyApproved, books, fundingAccount }: OverviewQuery) {
  const funds = [...books.balances, ...(fundingAccount?.balances ?? [])];
  return {
    payee: anyPayee.edges.length > 0,
    funds:
      funds.some(({ availableMinor }) => BigInt(availableMinor) > 0n) ||
      BigInt(fundingAccount?.availableBalanceMinor ?? 0) > 0n,
    payout: anyPayout.edges.length > 0,
    approval: anyApproved.edges.length > 0,
  } as const satisfies Record<Step, boolean>;
}

/** The way of a new business to its first payout: what is done, and what is next. */
export function Steps({ data }: { readonly data: OverviewQuery }) {
  const done = doneOf(data);
  const steps = Object.keys(ways) as Step[];
  const next = steps.find((step) => !done[step]);
  return (
    <Card title={words.title}>
      <p className="muted">{words.lead}</p>
      <ol className="first-steps">
        {steps.map((step, place) => (
          <li key={step} data-done={done[step]} aria-current={step === next ? 'step' : undefined}>
            <span className="step-mark" aria-hidden>
              {done[step] ? <Icon name="tick" /> : place + 1}
            </span>
            <div>
              <h3>
                {words[step].title}
                {done[step] && <span className="hidden"> {words.done}</span>}
              </h3>
              <p className="muted">{words[step].text}</p>
            </div>
            <Link
              className="button"
              data-kind={step === next ? 'primary' : undefined}
              to={ways[step]}
            >
              {words[step].action}
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
