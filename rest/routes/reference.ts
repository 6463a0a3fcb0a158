import { DomainError } from '../../src/errors/domain-error.ts';
import { toSnakeCase } from '../http/case.ts';
import { corridorEnvelope, corridorParams, purposeList } from '../contracts/reference.ts';
import { providerList, providerSelection } from '../contracts/providers.ts';
import { route } from '../route/route.ts';

interface CorridorData {
  readonly required: readonly string[];
  readonly options: readonly {
    readonly validated: boolean;
    readonly fields: readonly { readonly field: string }[];
  }[];
}

/** The names of fields are values here, so the aliases do not reach them. */
function withWireNames(corridor: CorridorData): CorridorData {
  return {
    ...corridor,
    required: corridor.required.map(toSnakeCase),
    options: corridor.options.map((option) => ({
      ...option,
      fields: option.fields.map((rule) => ({ ...rule, field: toSnakeCase(rule.field) })),
    })),
  };
}

export const referenceRoutes = [
  route({
    method: 'get',
    path: '/v1/reference/corridors/:country',
    operationId: 'getCorridor',
    summary: 'Read what a bank account in a country needs',
    tag: 'Reference',
    permission: 'read',
    params: corridorParams,
    responses: {
      200: {
        means: 'What a bank account in the country needs, and whether payouts can go there.',
        body: corridorEnvelope,
      },
    },
    errors: ['not_found'],
    document: `
      query GetCorridor($country: String!) {
        corridor(country: $country) {
          country payout_usable: payoutUsable required
          options { validated fields { field description pattern } }
        }
      }`,
    variables: ({ params }) => ({ ...params }),
    answer: (data) => {
      if (data['corridor'] === null) {
        throw new DomainError('not_found', { message: 'There is no such country.' });
      }
      return { status: 200, body: { corridor: withWireNames(data['corridor'] as CorridorData) } };
    },
  }),
  route({
    method: 'get',
    path: '/v1/reference/purposes',
    operationId: 'listPurposes',
    summary: 'List the values of purpose_of_payment',
    tag: 'Reference',
    permission: 'read',
    responses: {
      200: { means: 'Every value that purpose_of_payment takes.', body: purposeList },
    },
    errors: [],
    document: 'query ListPurposes { purposes: purposesOfPayment }',
    variables: () => ({}),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'get',
    path: '/v1/reference/providers',
    operationId: 'listProviders',
    summary: 'List who can pay, and what',
    tag: 'Reference',
    permission: 'read',
    responses: {
      200: { means: 'Every provider to which a route may lead.', body: providerList },
    },
    errors: [],
    document: `query ListProviders { providers: payoutProviders { ${providerSelection} } }`,
    variables: () => ({}),
    answer: (data) => ({ status: 200, body: data }),
  }),
];
