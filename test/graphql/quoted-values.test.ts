import { beforeAll, describe, expect, it } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const account = '77778888999912';
const name = 'Lovelace; Ada';
const token = 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeFgH';
let key: string;
const harness = useHarness({ worker: false });

beforeAll(async () => {
  ({ key } = await makeTenant(harness, { funded: false }));
});

const register = `mutation ($i: BankAccountInput!) {
  bankAccountRegister(beneficiaryId: "x", input: $i) { id }
}`;
const form = 'query ($t: String!) { collectionForm(token: $t) { state } }';
const bulk = 'mutation ($c: Base64Bytes) { collectionInviteBulk(csv: $c) { __typename } }';

/** The document, its variables, and what the caller is still told. */
const cases: [string, string, Record<string, unknown>, RegExp][] = [
  [
    'a number for a text',
    register,
    { i: { accountNumber: Number(account) } },
    /i\.accountNumber invalid_type Must be a string/,
  ],
  ['a list for an object', register, { i: [account] }, /i invalid_type Must be an object/],
  [
    'an object that lacks a field',
    register,
    { i: { accountHolderName: name } },
    /i\.country required/,
  ],
  [
    'a long object',
    register,
    { i: { accountHolderName: name.repeat(100) } },
    /i\.currency required/,
  ],
  ['a name for an object', register, { i: name }, /Must be an object/],
  ['a text for an object', register, { i: account }, /Must be an object/],
  ['a bad base64', bulk, { c: `${token}!` }, /Must be base64/],
  ['a number for base64', bulk, { c: Number(account) }, /Must be base64/],
  [
    'an operation by its token',
    `query ${token} { ${account.replace('7', 'a')} }`,
    {},
    /Cannot query/,
  ],
  ['an unknown field', register, { i: { [account]: 1 } }, /i\.\*\*\*\* unknown_field/],
  [
    'an unknown field with any name',
    register,
    { i: { [`${token}, "x`]: 1 } },
    /i\.\*\*\*\* unknown_field/,
  ],
  ['an object for a token', form, { t: { a: token } }, /t invalid_type Must be a string/],
  ['a list for a token', form, { t: [token] }, /t invalid_type Must be a string/],
  ['an object in a literal', `{ collectionForm(token: {a: "${token}"}) { state } }`, {}, /String/],
  ['a token without quotes', `{ collectionForm(token: ${token}) { state } }`, {}, /String/],
  ['a number in a literal', `{ collectionForm(token: ${account}) { state } }`, {}, /String/],
  ['a token as a field', `{ ${token} }`, {}, /Cannot query field/],
  ['a token where none stands', `{ collectionForm("${token}") }`, {}, /found String\.$/],
  ['a name where none stands', `{ collectionForm(token: "x" ${token}) }`, {}, /found Name|"\)"/],
  ['a number where none stands', `{ me { role } ${account} }`, {}, /found Int\.$/],
  ['a bad escape', `{ collectionForm(token: "\\u{${token}}") }`, {}, /escape sequence\.$/],
  [
    'an unquoted time',
    '{ payouts(filter: { state: ["x"] }) { edges { cursor } } }',
    {},
    /enum|field/,
  ],
  [
    'a bad enum',
    'query ($s: [PayoutState!]) { transactionsExport(filter: { state: $s }) { filename } }',
    { s: [`x" does not exist in "${token}`] },
    /s\[0\] invalid_value Must be one of: .*pending_approval/,
  ],
  [
    'a bad enum in a literal',
    `{ transactionsExport(filter: { state: [${token}] }) { filename } }`,
    {},
    /PayoutState/,
  ],
];

describe('an error of GraphQL’s own', () => {
  it.each(cases)('%s: no value comes back', async (_name, query, variables, told) => {
    const answer = await harness.graphql(key, query, variables);
    expect(answer.body.errors.length).toBeGreaterThan(0);
    for (const secret of [account, token, 'Lovelace']) expect(answer.text).not.toContain(secret);
    const errors = answer.body.errors as {
      message: string;
      extensions: { code: string; details: { field: string; code: string; message: string }[] };
    }[];
    const details = errors.flatMap((error) => error.extensions.details);
    const lines = details.map(({ field, code, message }) => `${field} ${code} ${message}`);
    expect([...errors.map(({ message }) => message), ...lines].join('\n')).toMatch(told);
    for (const { message } of errors) expect(message.length).toBeLessThanOrEqual(300);
    // What is wrong with a variable is told of its field; what is wrong with the document is not of one.
    const code = details.length > 0 ? 'validation_failed' : 'bad_request';
    expect(errors[0]?.extensions.code).toBe(code);
    expect(answer.text).not.toMatch(/got invalid value|Variable \\"\$/);
  });
});
