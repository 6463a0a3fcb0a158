import type { Harness, RestAnswer } from './harness.ts';

const connectionType = {
  name: 'String!',
  debtorName: 'String!',
  debtorAddress: 'OperatorDebtorAddressInput!',
  account: 'OperatorDebtorAccountInput!',
  schemes: '[BankScheme!]!',
  transport: 'OperatorBankTransportInput!',
  cutOffTime: 'String!',
  timeZone: 'String!',
  calendar: 'BankCalendar!',
  leadBankDays: 'Int!',
  returnBankDays: 'Int!',
  maxPayments: 'Int!',
  ach: 'OperatorBankAchInput',
} as const;

const declared = (types: Readonly<Record<string, string>>) =>
  Object.entries(types)
    .map(([name, type]) => `$${name}: ${type}`)
    .join(', ');
const passed = (types: Readonly<Record<string, string>>) =>
  Object.keys(types)
    .map((name) => `${name}: $${name}`)
    .join(', ');

const make = { businessId: 'ID!', reason: 'String!', ...connectionType };
const change = {
  businessId: 'ID!',
  reason: 'String!',
  connectionId: 'ID!',
  version: 'Int!',
  status: 'BankConnectionStatus',
  cutOffTime: 'String',
  transport: 'OperatorBankTransportInput',
  initiatorId: 'String',
};
const replace = {
  businessId: 'ID!',
  reason: 'String!',
  version: 'Int!',
  routes: '[PayoutRouteInput!]!',
};
const shown = `{
  id transportFacts hasCredentials initiatorId
  connection { id name status accountLast4 cutOffTime version schemes transport }
}`;
/** The orders of an operator about a business's banks; each answers as `done`. */
export const documents = {
  connect: `mutation (${declared(make)}) { done: operatorBankConnect(${passed(make)}) ${shown} }`,
  change: `mutation (${declared(change)}) { done: operatorBankConnectionChange(${passed(change)}) ${shown} }`,
  routes: `mutation (${declared(replace)}) {
    done: operatorRoutesReplace(${passed(replace)}) { version routes { provider currency } }
  }`,
};

/** Has the operator of `key` order it; the answer as it comes. */
export const ask = (
  harness: Harness,
  key: string,
  document: keyof typeof documents,
  variables: Record<string, unknown>,
): Promise<RestAnswer> =>
  harness.graphql(key, documents[document], { reason: 'ticket 1', ...variables });

/** The code of the first error; undefined where there is none. */
export const codeOf = (answer: RestAnswer): string | undefined =>
  answer.body.errors?.[0].extensions.code as string | undefined;

/** The fields that were refused, each with its code. */
export const detailsOf = (answer: RestAnswer): string[] =>
  (answer.body.errors?.[0].extensions.details ?? []).map(
    ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
  );
