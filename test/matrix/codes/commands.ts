import { toCamelCase } from '../../../rest/http/case.ts';

/** One command as both interfaces take it. */
export interface Command {
  readonly rest: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly graphql: { readonly query: string; readonly variables: Record<string, unknown> };
}

type Body = Readonly<Record<string, unknown>>;

/** A mutation whose variables are `given`, each with its type; what it selects does not matter here. */
function mutation(
  field: string,
  types: Readonly<Record<string, string>>,
  given: Record<string, unknown>,
): Command['graphql'] {
  const declared = Object.entries(types)
    .map(([name, type]) => `$${name}: ${type}`)
    .join(', ');
  const passed = Object.keys(types)
    .map((name) => `${name}: $${name}`)
    .join(', ');
  return {
    query: `mutation (${declared}) { ${field}(${passed}) { __typename } }`,
    variables: given,
  };
}

const input = (body: Body) => ({ input: toCamelCase(body) });

export const createBeneficiary = (body: Body): Command => ({
  rest: { method: 'POST', path: '/v1/beneficiaries', body },
  graphql: mutation('beneficiaryCreate', { input: 'BeneficiaryCreateInput!' }, input(body)),
});

export const updateBeneficiary = (id: string, body: Body): Command => ({
  rest: { method: 'PUT', path: `/v1/beneficiaries/${id}`, body },
  graphql: mutation(
    'beneficiaryUpdate',
    { id: 'ID!', input: 'BeneficiaryUpdateInput!' },
    { id, ...input(body) },
  ),
});

export const archive = (id: string): Command => ({
  rest: { method: 'DELETE', path: `/v1/beneficiaries/${id}` },
  graphql: mutation('beneficiaryArchive', { id: 'ID!' }, { id }),
});

export const acknowledge = (id: string): Command => ({
  rest: { method: 'POST', path: `/v1/beneficiaries/${id}/compliance-acknowledgment` },
  graphql: mutation('beneficiaryAcknowledge', { id: 'ID!' }, { id }),
});

export const enroll = (id: string, bankAccountId?: string): Command => ({
  rest: {
    method: 'POST',
    path: `/v1/beneficiaries/${id}/enroll`,
    body: bankAccountId === undefined ? {} : { bank_account_id: bankAccountId },
  },
  graphql: mutation(
    'beneficiaryEnroll',
    { id: 'ID!', bankAccountId: 'ID' },
    { id, bankAccountId: bankAccountId ?? null },
  ),
});

export const registerAccount = (beneficiaryId: string, body: Body): Command => ({
  rest: { method: 'POST', path: `/v1/beneficiaries/${beneficiaryId}/bank-accounts`, body },
  graphql: mutation(
    'bankAccountRegister',
    { beneficiaryId: 'ID!', input: 'BankAccountInput!' },
    { beneficiaryId, ...input(body) },
  ),
});

export const updateAccount = (beneficiaryId: string, id: string, body: Body): Command => ({
  rest: { method: 'PUT', path: `/v1/beneficiaries/${beneficiaryId}/bank-accounts/${id}`, body },
  graphql: mutation(
    'bankAccountUpdate',
    { beneficiaryId: 'ID!', id: 'ID!', input: 'BankAccountInput!' },
    { beneficiaryId, id, ...input(body) },
  ),
});

export const verifyAccount = (beneficiaryId: string, id: string): Command => ({
  rest: {
    method: 'POST',
    path: `/v1/beneficiaries/${beneficiaryId}/bank-accounts/${id}/verify`,
  },
  graphql: mutation(
    'bankAccountVerify',
    { beneficiaryId: 'ID!', id: 'ID!' },
    { beneficiaryId, id },
  ),
});

export const createPayout = (body: Body): Command => ({
  rest: { method: 'POST', path: '/v1/payouts', body },
  graphql: mutation('payoutCreate', { input: 'PayoutCreateInput!' }, input(body)),
});

export const erase = (id: string): Command => ({
  rest: {
    method: 'POST',
    path: `/v1/beneficiaries/${id}/erase`,
    body: { ground: 'payee_request' },
  },
  graphql: mutation(
    'beneficiaryErase',
    { id: 'ID!', ground: 'ErasureGround!' },
    { id, ground: 'payee_request' },
  ),
});

export const approve = (payoutId: string): Command => ({
  rest: { method: 'POST', path: `/v1/payouts/${payoutId}/approve` },
  graphql: mutation('payoutApprove', { payoutId: 'ID!' }, { payoutId }),
});

export const reject = (payoutId: string, reasons: readonly Body[]): Command => ({
  rest: { method: 'POST', path: `/v1/payouts/${payoutId}/reject`, body: { reasons } },
  graphql: mutation(
    'payoutReject',
    { payoutId: 'ID!', reasons: '[DecisionReasonInput!]' },
    { payoutId, reasons },
  ),
});

export const cancel = (payoutId: string): Command => ({
  rest: { method: 'POST', path: `/v1/payouts/${payoutId}/cancel` },
  graphql: mutation('payoutCancel', { payoutId: 'ID!' }, { payoutId }),
});

export const simulate = (payoutId: string, event: string): Command => ({
  rest: { method: 'POST', path: `/v1/sandbox/payouts/${payoutId}/simulate`, body: { event } },
  graphql: mutation(
    'payoutSimulate',
    { payoutId: 'ID!', event: 'SimulatedEvent!' },
    { payoutId, event },
  ),
});

export const setBalance = (body: Body): Command => ({
  rest: { method: 'POST', path: '/v1/business/funding-account/sandbox-balance', body },
  graphql: mutation('sandboxBalanceSet', { input: 'SandboxBalanceInput!' }, input(body)),
});

export const register = (body: Body): Command => ({
  rest: { method: 'POST', path: '/v1/registration', body },
  graphql: mutation('businessRegister', { input: 'BusinessRegisterInput!' }, input(body)),
});
