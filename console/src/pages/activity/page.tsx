import { getRouteApi, Link } from '@tanstack/react-router';
import { activityDocument } from '../../../../generated/console-types/pages/activity/activity.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { filterOf, type ActivityChoice } from './choice.ts';
import { ExportActivity } from './export.tsx';
import { subjectOf, whatOf, whoOf } from './told.ts';

const route = getRouteApi('/shell/activity');
const words = texts.activity;

/** What happened in the business and who did it, by kind and day, to be read and taken along. */
export function ActivityPage() {
  const { after, ...choice } = route.useSearch();
  const navigate = route.useNavigate();
  const place = after === undefined ? {} : { after };
  const filter = filterOf(choice);
  const fresh = useFresh(activityDocument, { ...forwards(place), filter });
  const choose = (search: ActivityChoice) => void navigate({ search, resetScroll: false });
  return (
    <Page title={words.title} lead={words.lead} actions={<ExportActivity filter={filter} />}>
      <Filters choice={choice} onChoose={choose} />
      <Card flush>
        <Listing
          caption={words.title}
          fresh={fresh}
          page={fresh.data?.activity ?? null}
          place={place}
          onPlace={(to) =>
            void navigate({
              search: { ...choice, ...(to.after === undefined ? {} : { after: to.after }) },
            })
          }
          versionOf={({ occurredAt }) => occurredAt}
          empty={<Empty title={words.none} />}
          columns={[
            { name: 'when', title: words.when, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
            { name: 'what', title: words.what, cell: whatOf },
            {
              name: 'about',
              title: words.about,
              cell: (row) =>
                row.payout === null ? (
                  subjectOf(row)
                ) : (
                  <Link to="/payouts/$id" params={{ id: row.payout.id }}>
                    {subjectOf(row)}
                  </Link>
                ),
            },
            { name: 'who', title: words.who, cell: whoOf },
          ]}
        />
      </Card>
    </Page>
  );
}

interface FiltersProps {
  readonly choice: ActivityChoice;
  onChoose(choice: ActivityChoice): void;
}

function Filters({ choice, onChoose }: FiltersProps) {
  const { kind, ...days } = choice;
  const day = (name: 'since' | 'until', label: string) => (
    <Field label={label}>
      {(field) => (
        <input
          {...field}
          className="input"
          type="date"
          value={choice[name] ?? ''}
          onChange={({ target }) => {
            const { [name]: _before, ...others } = choice;
            onChoose(target.value === '' ? others : { ...others, [name]: target.value });
          }}
        />
      )}
    </Field>
  );
  return (
    <div className="filters">
      <Choice
        label={words.what}
        options={words.kinds}
        any={words.anything}
        value={kind}
        onChange={(chosen) => onChoose(chosen === undefined ? days : { ...days, kind: chosen })}
      />
      {day('since', words.since)}
      {day('until', words.until)}
    </div>
  );
}
