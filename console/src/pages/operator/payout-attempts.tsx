import { Link } from '@tanstack/react-router';
import { Card } from '../../parts/card.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { SeenPayout } from './payout-seen.ts';

const words = texts.operatorPayout.attempts;
type Attempt = SeenPayout['attempts'][number];

const tones: Readonly<Record<Attempt['status'], Tone>> = {
  prepared: 'wait',
  unknown: 'wait',
  submitted: 'good',
  rejected: 'bad',
};

/** The submissions of the payout, newest first, each with its place in a file for a bank. */
export function Attempts({ payout: { attempts } }: { readonly payout: SeenPayout }) {
  return (
    <Card title={words.title}>
      {attempts.length === 0 ? (
        <p className="muted">{words.none}</p>
      ) : (
        <ul className="plain">
          {attempts.map((attempt) => (
            <li key={attempt.attemptId}>
              <AttemptFacts attempt={attempt} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function AttemptFacts({ attempt }: { readonly attempt: Attempt }) {
  const { attemptId, number, provider, status, needsOperator, calls, calledAt } = attempt;
  const { lookedUpAt, keyExpiresAt, failureCode, bankPlace } = attempt;
  return (
    <Facts
      facts={[
        [
          words.numberAt({ number, provider }),
          <CopyId key="id" value={attemptId} name={words.attempt} />,
        ],
        [
          words.status,
          <span key="status" className="row">
            <StateMark tone={tones[status]}>{words.statuses[status]}</StateMark>
            {needsOperator && <StateMark tone="bad">{words.needsOperator}</StateMark>}
            {failureCode}
          </span>,
        ],
        [words.calls, calls],
        [words.called, <Time key="called" at={calledAt} />],
        [words.lookedUp, lookedUpAt === null ? null : <Time key="asked" at={lookedUpAt} />],
        [words.keyExpires, <Time key="key" at={keyExpiresAt} />],
        [words.file, bankPlace === null ? null : <InFile key="file" place={bankPlace} />],
      ]}
    />
  );
}

/** The file that the bank gets, what is known of it, and what a person can do. */
function InFile({ place }: { readonly place: NonNullable<Attempt['bankPlace']> }) {
  const { batchId, fileName, position, status, executionDate, endToEndId, problem, nextStep } =
    place;
  return (
    <>
      <Link to="/operator/banks/batches/$id" params={{ id: batchId }} search={{}}>
        {words.fileOf({ name: fileName, position: String(position) })}
      </Link>
      <div className="small">
        {words.fileStands({ state: words.fileState[status], day: executionDate })}
      </div>
      <div className="muted small">
        <code>{endToEndId}</code>
      </div>
      {problem !== null && <p className="small">{problem}</p>}
      {nextStep !== null && <p className="small">{nextStep}</p>}
    </>
  );
}
