import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { operatorActionsDocument } from '../../../../generated/console-types/pages/operator/health.ts';
import { OfBusiness, SubjectLink } from './place.tsx';

const words = texts.operator.log;
const changeWords = texts.operator.changes;

/** What operators did, here, over GraphQL and in SQL. */
export function LogPage() {
  const { subject, ...place } = useSearch({ from: '/shell/operator/log' });
  const navigate = useNavigate({ from: '/operator/log' });
  const fresh = useFresh(operatorActionsDocument, {
    ...forwards(place),
    subjectId: subject ?? null,
  });
  const chosen = subject === undefined ? {} : { subject };
  return (
    <Page title={words.title} lead={words.lead}>
      <Card
        {...(subject === undefined ? {} : { title: words.logOf({ what: subject }) })}
        flush
        aside={
          subject !== undefined && (
            <Link to="/operator/log" search={{}}>
              {words.all}
            </Link>
          )
        }
      >
        <Listing
          caption={words.title}
          fresh={fresh}
          page={fresh.data?.operatorActions ?? null}
          place={place}
          onPlace={(to) => void navigate({ search: { ...chosen, ...to } })}
          versionOf={({ outcome }) => String(outcome)}
          empty={<Empty title={words.none} />}
          columns={[
            { name: 'at', title: words.at, cell: ({ at }) => <Time at={at} /> },
            { name: 'who', title: words.who, cell: ({ person }) => person },
            {
              name: 'action',
              title: words.action,
              cell: ({ action, subjectId, detail }) => (
                <>
                  <code>{action}</code>
                  <div className="muted small">
                    {subjectId ? <SubjectLink about={subjectId} /> : <code>{taskOf(detail)}</code>}
                  </div>
                  <div className="small">{answerOf(detail)}</div>
                </>
              ),
            },
            { name: 'of', title: words.of, cell: ({ of }) => <OfBusiness of={of} /> },
            {
              name: 'reason',
              title: words.reason,
              cell: ({ reason }) => <div className="reading">{reason || '–'}</div>,
            },
            { name: 'outcome', title: words.outcome, cell: ({ outcome }) => outcome ?? '–' },
          ]}
        />
      </Card>
    </Page>
  );
}

interface ChangeDetail {
  readonly answer?: keyof typeof changeWords.answers;
  readonly kind?: keyof typeof changeWords.kinds;
  readonly proposed?: string;
}

/** What was said to what another operator proposed or ordered, and what kind of change it was; null for other lines. */
function answerOf(detail: unknown): string | null {
  const { answer, kind, proposed } = (detail ?? {}) as ChangeDetail;
  if (proposed !== undefined) return changeWords.proposed;
  if (answer === undefined) return null;
  const said = changeWords.answers[answer];
  return kind === undefined ? said : `${said}: ${changeWords.kinds[kind]}`;
}

/** The task that a line is about, where it names one. */
function taskOf(detail: unknown): string | undefined {
  return (detail as { readonly task?: string } | null)?.task;
}
