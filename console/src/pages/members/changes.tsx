import type { AccessChangesQuery } from '../../../../generated/console-types/graphql.ts';
import { useFresh } from '../../app/fresh.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { authorName, personName } from '../../values/author.ts';
import { accessChangesDocument } from '../../../../generated/console-types/pages/members/members.ts';

const words = texts.members;

/** The latest changes of settings, members and keys, which nobody can edit. */
export function AccessChanges() {
  const fresh = useFresh(accessChangesDocument, { first: 10 });
  const { data } = fresh;
  return (
    <Card title={words.changes} flush>
      {data === null ? (
        <Pending of={fresh} />
      ) : data.accessChanges.edges.length === 0 ? (
        <Empty title={words.noChanges}>
          <p>{words.noChangesText}</p>
        </Empty>
      ) : (
        <Table
          caption={words.changes}
          rows={data.accessChanges.edges.map(({ node }) => node)}
          rowId={({ id }) => id}
          columns={[
            {
              name: 'what',
              title: words.what,
              cell: ({ kind, after }) => (
                <>
                  {words.kinds[kind]} <span className="muted">{roleIn(after)}</span>
                </>
              ),
            },
            {
              name: 'subject',
              title: words.subject,
              cell: (change) => <Subject of={change} />,
            },
            {
              name: 'who',
              title: words.who,
              cell: ({ author }) => author !== null && authorName(author),
            },
            {
              name: 'when',
              title: words.when,
              cell: ({ occurredAt }) => <Time at={occurredAt} />,
            },
          ]}
        />
      )}
    </Card>
  );
}

type Change = AccessChangesQuery['accessChanges']['edges'][number]['node'];

/** Whom or what a change is about: by name, and by id where there is none to tell. */
function Subject({ of: { member, apiKey, subjectId } }: { readonly of: Change }) {
  if (member !== null) return personName(member);
  if (subjectId.startsWith('biz_')) return words.business;
  return (
    <>
      {apiKey?.name}
      <div className="muted small">
        <code>{subjectId}</code>
      </div>
    </>
  );
}

/** The role that a change gave, where it gave one. */
function roleIn(after: unknown): string {
  const role = (after as { readonly role?: string } | null)?.role ?? '';
  return Object.hasOwn(texts.roles, role) ? texts.roles[role as keyof typeof texts.roles] : '';
}
