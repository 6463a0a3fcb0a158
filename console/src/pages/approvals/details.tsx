import { Link } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { NameCheck } from '../../app/name-check.tsx';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Note } from '../../parts/note.tsx';
import { Pending } from '../../parts/pending.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { purposeWords } from '../../values/purpose-words.ts';
import { authorName } from '../../values/author.ts';
import { FailedBefore } from '../../parts/failed-before.tsx';
import { similarPayoutsDocument } from '../../../../generated/console-types/pages/approvals/approvals.ts';
import { nameOf, type WaitingPayout } from './rows.ts';

const words = texts.approvals;

interface DetailsProps {
  readonly row: WaitingPayout;
  onDone(): void;
}

/** All that stands around the payout that is shown. */
export function Details({ row, onDone }: DetailsProps) {
  const { destination, createdBy } = row;
  return (
    <aside className="details stack" aria-label={words.facts.title({ name: nameOf(row) })}>
      <Card
        title={nameOf(row)}
        aside={
          <Link to="/payouts/$id" params={{ id: row.id }}>
            {words.open}
          </Link>
        }
      >
        <div className="stack">
          <p className="figure">
            <Amount minor={row.amountMinor} currency={row.currency} />
          </p>
          <May row={row} />
          <NameCheck
            check={row.bankAccount.nameCheck}
            account={row.bankAccountId}
            payee={row.beneficiaryId}
            onDone={onDone}
          />
          <Facts
            facts={[
              [
                words.facts.account,
                [destination.maskedAccount, destination.bankName, destination.country]
                  .filter(Boolean)
                  .join(', '),
              ],
              [words.facts.payee, destination.accountHolderName],
              [words.facts.since, <Time key="since" at={destination.since} />],
              [
                words.facts.changedAt,
                destination.changedAt && <Time key="changed" at={destination.changedAt} />,
              ],
              [words.facts.reference, row.externalRef],
              [words.facts.purpose, purposeWords(row.purposeOfPayment)],
              [words.facts.madeBy, authorName(createdBy)],
              [words.facts.madeAt, <Time key="made" at={row.createdAt} />],
            ]}
          />
        </div>
      </Card>
      <Card title={words.facts.changed}>
        <Changes row={row} />
      </Card>
      <Card title={words.facts.similar}>
        <Similar row={row} />
      </Card>
    </aside>
  );
}

/** Whether the reader may approve it, and why: the four-eyes rule in words. */
function May({ row }: { readonly row: WaitingPayout }) {
  const { permitted, obstacles, fourEyes } = row.approval;
  const { failedBefore } = row;
  if (permitted) {
    const yes = fourEyes === null ? words.may.yes : words.may.yesFourEyes;
    if (failedBefore === null) return <Note tone="good">{yes}</Note>;
    return (
      <Note tone="wait">
        <FailedBefore payout={failedBefore} />
        <p>{yes}</p>
      </Note>
    );
  }
  return (
    <Note tone={obstacles.includes('account_changed') ? 'bad' : 'wait'}>
      {obstacles.map((obstacle) => (
        <p key={obstacle}>
          {words.obstacles[obstacle]}
          {obstacle === 'four_eyes' && fourEyes !== null && ` ${words.grounds[fourEyes]}`}
        </p>
      ))}
    </Note>
  );
}

function Changes({ row }: { readonly row: WaitingPayout }) {
  const { accountChanges, changesSinceCreation } = row;
  if (changesSinceCreation.length === 0) return <p className="muted">{words.facts.unchanged}</p>;
  const named = accountChanges.map((fact) => words.accountFacts[fact]).join(', ');
  return (
    <ul className="plain">
      {changesSinceCreation.map(({ kind, at, author, reason }) => (
        <li key={`${kind} ${at ?? ''}`}>
          <strong>
            {words.changes[kind]}
            {kind === 'account_changed' && named !== '' && ` (${named})`}
          </strong>
          <span className="muted">
            {at !== null && <Time at={at} />}
            {author !== null && ` · ${authorName(author)}`}
            {reason !== null && ` · ${reason}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Similar({ row }: { readonly row: WaitingPayout }) {
  const { count } = row.similarPayouts;
  const fresh = useFresh(
    similarPayoutsDocument,
    { id: row.id },
    { everyMs: null, pause: count === 0 },
  );
  if (count === 0) return <p className="muted">{words.facts.noneSimilar}</p>;
  const nearest = fresh.data?.payout?.similarPayouts.nearest;
  if (nearest === undefined) return <Pending of={fresh} lines={2} />;
  const { same } = words.facts;
  return (
    <div className="stack">
      <p className="muted">{words.facts.similarCount({ count })}</p>
      <ul className="plain">
        {nearest.map(({ payout, sameAmount, sameReference, sameAccount }) => (
          <li key={payout.id}>
            <Link to="/payouts/$id" params={{ id: payout.id }}>
              <Amount minor={payout.amountMinor} currency={payout.currency} />
            </Link>{' '}
            <PayoutStateMark state={payout.state} />
            <span className="muted">
              <Time at={payout.createdAt} />
              {[
                sameAmount && same.amount,
                sameReference && same.reference,
                sameAccount && same.account,
              ]
                .filter(Boolean)
                .map((word) => ` · ${word}`)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
