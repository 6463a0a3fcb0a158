import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { authorName, personName } from '../../values/author.ts';
import type { ShownPayout } from './shown.ts';

/** The words of a reason, which the schema leaves open. */
function messageOf(reason: unknown): string | null {
  if (typeof reason !== 'object' || reason === null || !('message' in reason)) return null;
  return String(reason.message);
}

type Decision = ShownPayout['decisions']['edges'][number]['node'];

/** Who decided, and on whose behalf. */
function madeBy(author: Decision['author'], onBehalfOf: Decision['onBehalfOf']): string {
  if (author === null) return '';
  const name = authorName(author);
  return onBehalfOf === null
    ? texts.payout.by({ name })
    : texts.payout.onBehalf({ name, other: personName(onBehalfOf) });
}

/** Why the payout was approved or rejected, as it was given. */
export function Decisions({ payout }: { readonly payout: ShownPayout }) {
  const decisions = payout.decisions.edges.map(({ node }) => node);
  if (decisions.length === 0) return null;
  return (
    <Card title={texts.payout.decisions}>
      <ul className="plain">
        {decisions.map(({ id, reasons, submittedAt, author, onBehalfOf }) => (
          <li key={id}>
            {Array.isArray(reasons) && reasons.map(messageOf).filter(Boolean).join(' · ')}{' '}
            <span className="muted">{madeBy(author, onBehalfOf)}</span>{' '}
            <span className="muted">
              <Time at={submittedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
