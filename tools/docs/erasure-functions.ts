import { unfinishedStates } from '../../src/domain/payout/machine.ts';
import { holdings, type Holding } from '../../src/domain/personal/holdings.ts';
import { subjectQueries, type Subjects } from '../../src/domain/personal/subjects.ts';

/** In the bodies of the functions the ids are parameters and variables. */
const inFunction: Subjects = {
  tenant: '_tenant',
  beneficiary: '_beneficiary',
  accounts: '_accounts',
  requests: '_requests',
  enrollments: '_enrollments',
  payouts: '_payouts',
  attempts: '_attempts',
};

const subjectNames = Object.keys(subjectQueries) as (keyof typeof subjectQueries)[];

/** A function over what belongs to a payee. */
function overPayee(comment: string, name: string, statements: readonly string[]): string {
  const declared = subjectNames.map(
    (subject) => `  ${inFunction[subject]} ${subject === 'requests' ? 'uuid[]' : 'text[]'};`,
  );
  const assigned = subjectNames.map(
    (subject) => `  ${inFunction[subject]} := ARRAY(${subjectQueries[subject](inFunction)});`,
  );
  return `-- ${comment}
CREATE OR REPLACE FUNCTION ops.${name}(_tenant text, _beneficiary text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
${declared.join('\n')}
BEGIN
${[...assigned, ...statements].join('\n')}
END
$$;
`;
}

/** It writes only rows that still hold something, so a repetition writes nothing. */
function clearing({ table, of, clears, dates }: Holding): string {
  const columns = Object.entries(clears);
  const changes = columns.map(([column, value]) => `${column} = ${value}`);
  if (dates !== undefined) changes.push(dates);
  const left = columns.map(([column, value]) => `t.${column} IS DISTINCT FROM ${value}`);
  return `  UPDATE ${table} t SET ${changes.join(', ')}
    WHERE (${of(inFunction)}) AND (${left.join(' OR ')});`;
}

const deletion = ({ table, of }: Holding): string =>
  `  DELETE FROM ${table} t WHERE ${of(inFunction)};`;

/** SQL: what the erasure of payees (16-erasure.sql) clears and deletes, and what it waits for. */
export function erasureFunctions(): string {
  const always = holdings.filter(({ deleted }) => deleted === 'always');
  const cleared = holdings.filter(
    ({ deleted, clears }) => deleted !== 'always' && Object.keys(clears).length > 0,
  );
  const deleted = holdings.filter(({ deleted: when }) => when !== 'never');
  const states = unfinishedStates.map((state) => `'${state}'`).join(', ');
  return `-- Whether a payout in this state has not come to its end (src/domain/payout/machine.ts).
CREATE OR REPLACE FUNCTION command.is_unfinished(_state text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$ SELECT _state IN (${states}) $$;

${overPayee(
  'Clears what is held of an erased payee (src/domain/personal/holdings.ts). What is cleared already is not written again.',
  'clear_payee',
  [...always.map(deletion), ...cleared.map(clearing)],
)}
${overPayee('Deletes what is held of a payee for whom no payout was ever created.', 'delete_payee', deleted.map(deletion))}`;
}
