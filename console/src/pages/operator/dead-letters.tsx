import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorDeadLettersQuery } from '../../../../generated/console-types/graphql.ts';
import { ActOn } from './act-on.tsx';
import {
  operatorDeadLettersDocument,
  operatorMailResendDocument,
  operatorDeliveriesReplayDocument,
} from '../../../../generated/console-types/pages/operator/dead-letters.ts';
import { OfBusiness } from './place.tsx';
import { Reasoned } from './reasoned.tsx';

const words = texts.operator.deadLetters;
type Letter = OperatorDeadLettersQuery['operatorDeadLetters']['edges'][number]['node'];

/** A replay takes the dead deliveries of so many days, those that the service still knows of as recent. */
const replayDays = 30;

/** Deliveries and mails that were given up, and how to send them again. */
export function DeadLettersPage() {
  const { kind = 'delivery', ...place } = useSearch({ from: '/shell/operator/dead-letters' });
  const navigate = useNavigate({ from: '/operator/dead-letters' });
  const fresh = useFresh(operatorDeadLettersDocument, { ...forwards(place), kind });
  const resend = useAct(operatorMailResendDocument);
  const replay = useAct(operatorDeliveriesReplayDocument);
  const [asked, setAsked] = useState<Letter | null>(null);
  const found = fresh.data?.operatorDeadLetters;
  const page =
    found === undefined
      ? null
      : {
          ...found,
          edges: found.edges.map(({ node }) => ({ node: { ...node, id: node.subjectId } })),
        };
  const close = () => setAsked(null);
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="filters">
        <Choice
          label={words.kind}
          options={words.kinds}
          value={kind}
          onChange={(chosen) =>
            void navigate({ search: chosen === undefined ? {} : { kind: chosen } })
          }
        />
      </div>
      <Card flush>
        <Listing
          caption={words.title}
          fresh={fresh}
          page={page}
          place={place}
          onPlace={(to) => void navigate({ search: { kind, ...to } })}
          versionOf={({ since }) => since}
          empty={<Empty title={words.none} />}
          columns={columnsOf(setAsked)}
        />
      </Card>
      <Reasoned
        title={words.resend}
        action={words.resend}
        open={asked?.kind === 'mail'}
        command={resend}
        variables={(reason) => ({ requestId: asked?.subjectId ?? '', reason })}
        onClose={close}
        onDone={fresh.refresh}
      >
        <p>{words.resendMeans}</p>
      </Reasoned>
      <Reasoned
        title={words.replayOf({ name: asked?.companyName ?? '' })}
        action={words.replay}
        open={asked?.kind === 'delivery'}
        command={replay}
        variables={(reason) => ({
          businessId: asked?.businessId ?? '',
          environment: asked?.environment ?? 'sandbox',
          createdSince: new Date(Date.now() - replayDays * 86_400_000).toISOString(),
          createdBefore: new Date().toISOString(),
          reason,
        })}
        said={({ operatorDeliveriesReplay }) =>
          words.replayed({ count: operatorDeliveriesReplay?.count ?? 0 })
        }
        onClose={close}
        onDone={fresh.refresh}
      >
        <p>{words.replayMeans({ days: replayDays })}</p>
      </Reasoned>
    </Page>
  );
}

/** What the list shows of each letter, with a way to send it again. */
function columnsOf(
  ask: (letter: Letter) => void,
): readonly Column<Letter & { readonly id: string }>[] {
  return [
    {
      name: 'what',
      title: words.what,
      cell: ({ kind, what, subjectId }) => (
        <>
          {what}
          <div className="muted small">
            {kind === 'delivery' ? (
              <Link to="/operator/find" search={{ what: subjectId }}>
                <code>{subjectId}</code>
              </Link>
            ) : (
              <code>{subjectId}</code>
            )}
          </div>
        </>
      ),
    },
    { name: 'of', title: words.of, cell: (row) => <OfBusiness of={row} /> },
    { name: 'since', title: words.since, cell: ({ since }) => <Time at={since} /> },
    {
      name: 'error',
      title: words.error,
      cell: ({ error }) => <div className="reading small">{error ?? '–'}</div>,
    },
    {
      name: 'actions',
      title: words.actions,
      cell: (row) => (
        <ActOn
          act={row.kind === 'mail' ? words.resend : words.replay}
          about={row.subjectId}
          onClick={() => ask(row)}
        />
      ),
    },
  ];
}
