import { getNamedType, isLeafType, isRequiredArgument, type GraphQLField } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { roles, type Role } from '../../src/access/roles.ts';
import { newId } from '../../src/values/ids.ts';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

const keyOf = (role: Role): string | Promise<string> =>
  role === 'owner' ? tenant.key : tenant.keyWithRole(role);

/** Values for the arguments that a root needs: none of them exists, which a refusal comes before. */
const argumentsOf: Record<string, string> = {
  ID: JSON.stringify(newId('membership')),
  'ID[]': '[]',
  String: '"US"',
  Int: '1',
};

function asked(field: GraphQLField<unknown, unknown>): string {
  const given = field.args
    .filter((argument) => isRequiredArgument(argument))
    .map(({ name, type }) => {
      const list = String(type).startsWith('[') ? '[]' : '';
      return `${name}: ${argumentsOf[`${getNamedType(type).name}${list}`] ?? '{}'}`;
    });
  const selected = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  return `${field.name}${given.length === 0 ? '' : `(${given.join(', ')})`} ${selected}`;
}

const ofMembers = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
  ({ name }) => !name.startsWith('operator'),
);

const refusals = ({ body }: RestAnswer) =>
  (body.errors ?? []) as {
    message: string;
    path?: string[];
    extensions: Record<string, unknown>;
  }[];

test.each(roles)('what the role %s is refused empties no more than its field', async (role) => {
  const key = await keyOf(role);
  for (const field of ofMembers) {
    const answer = await harness.graphql(key, `{ me { role } ${asked(field)} }`);
    const refused = refusals(answer).filter(({ extensions }) => extensions['code'] === 'forbidden');
    if (refused.length === 0) continue;
    expect({ [field.name]: answer.body.data }).toEqual({
      [field.name]: { me: { role }, [field.name]: null },
    });
  }
});

test('the error of a refused field names the permission that is missing', async () => {
  const key = await keyOf('viewer');
  const memberId = newId('membership');
  const query = 'query ($memberId: ID!) { me { role } memberSessions(memberId: $memberId) { id } }';
  const { body } = await harness.graphql(key, query, { memberId });
  expect(body.data).toEqual({ me: { role: 'viewer' }, memberSessions: null });
  expect(body.errors).toEqual([
    expect.objectContaining({
      path: ['memberSessions'],
      extensions: { code: 'forbidden', details: [], permission: 'access:write' },
    }),
  ]);
});

test('a refused command names it too, and REST has it in the message alone', async () => {
  const key = await keyOf('viewer');
  const { body } = await harness.graphql(
    key,
    'mutation { a: payoutCancel(payoutId: "pay_unknown") { id } b: businessSettingsUpdate(distinctApprover: true) { distinctApprover } }',
  );
  const told = body.errors.map(({ path, extensions }: { path: string[]; extensions: object }) => [
    path[0],
    extensions,
  ]);
  expect(told).toEqual([
    ['a', { code: 'forbidden', details: [], permission: 'payouts:write' }],
    ['b', { code: 'forbidden', details: [], permission: 'access:write' }],
  ]);
  const rest = await harness.rest('POST', '/v1/payouts/pay_unknown/cancel', { key });
  expect(rest.body.error).toMatchObject({ code: 'forbidden' });
  expect(rest.body.error.message).toContain('payouts:write');
  expect(rest.body.error).not.toHaveProperty('details');
});

test('what is for operators says so, and what is of a business too', async () => {
  const { body } = await harness.graphql(tenant.key, '{ operatorTasks { __typename } }');
  expect(body.errors[0].extensions).toMatchObject({ code: 'forbidden' });
  expect(body.errors[0].message).toMatch(/operators/);
});
