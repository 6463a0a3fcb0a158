import { declarationOf, taskNames, type TaskName } from '../../src/queue/tasks.ts';

const text = (value: string | null | undefined): string =>
  value === null || value === undefined ? 'NULL' : `'${value.replaceAll("'", "''")}'`;

const textArray = (values: readonly string[] | undefined): string =>
  values === undefined ? 'NULL' : text(`{${values.join(',')}}`);

/** What a payload holds besides ids: the defaults of a task that is about no single thing. */
function constantOf(name: TaskName): string {
  const { payload, subject } = declarationOf(name);
  return subject === undefined ? JSON.stringify(payload.parse({})) : '{}';
}

/** The values of a task's row, by the columns of `ops.task`. */
function rowOf(name: TaskName): Readonly<Record<string, string>> {
  const { payload, description, subject, key, priority, clock, notByHand } = declarationOf(name);
  const withTenant = 'tenantId' in payload.shape && subject?.field !== 'tenantId';
  return {
    name: text(name),
    subject: text(subject?.kind),
    subject_field: text(subject?.field),
    with_tenant: String(withTenant),
    constant: text(constantOf(name)),
    key_prefix: text(key?.prefix),
    priority: String(priority ?? 0),
    subject_states: textArray(subject?.states),
    clock: text(clock),
    description: text(description),
    not_by_hand: text(notByHand),
  };
}

/** SQL that makes the rows of `ops.task` those of src/queue/tasks.ts. */
export function taskRows(): string {
  const rows = taskNames.toSorted().map(rowOf);
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => `  (${Object.values(row).join(', ')})`);
  const changes = columns.slice(1).map((column) => `  ${column} = excluded.${column}`);
  return `-- Generated from src/queue/tasks.ts by \`npm run generate\`: what operators see of the worker's tasks.

INSERT INTO ops.task
  (${columns.join(', ')})
VALUES
${values.join(',\n')}
ON CONFLICT (name) DO UPDATE SET
${changes.join(',\n')};

DELETE FROM ops.task WHERE name NOT IN (
${taskNames
  .toSorted()
  .map((name) => `  ${text(name)}`)
  .join(',\n')}
);
`;
}
