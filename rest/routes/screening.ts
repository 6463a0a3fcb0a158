import { DomainError } from '../../src/errors/domain-error.ts';
import { beneficiaryParams } from '../contracts/beneficiaries.ts';
import {
  hitDecisionBody,
  hitEnvelope,
  hitList,
  hitListQuery,
  hitParams,
  payeeScreeningEnvelope,
  resultList,
  resultListQuery,
  screeningEnvelope,
} from '../contracts/screening.ts';
import { route } from '../route/route.ts';
import { listAnswer, listVariables } from './lists.ts';

/** The aliases are the mapping: the operation's data has the shape that REST answers. */
const listFields = `
  fragment ScreenedListFields on ScreenedList { kind state sequence sha256 listed_on: listedOn }`;

const resultFields = `
  fragment ScreeningResultFields on ScreeningResult {
    id engine lists { ...ScreenedListFields } incomplete hits best_score: bestScore threshold
    subject { type names birth countries identifiers } screened_at: screenedAt
  }
  ${listFields}`;

const hitFields = `
  fragment ScreeningHitFields on ScreeningHit {
    id beneficiary_id: beneficiaryId list ref entry_digest: entryDigest score ofac status found_at: foundAt
    updated_at: updatedAt subject_name: subjectName listed_name: listedName listed_names: listedNames
    listed_births: listedBirths listed_countries: listedCountries programmes
    reasons { of verdict text }
    decisions {
      seq from_status: fromStatus to_status: toStatus actor reason evidence decided_at: decidedAt
    }
  }`;

const details =
  'It knows the lists that the operator of the platform loads, and no list of politically exposed persons. It is a tool and no legal advice: what it finds is decided by people.';

export const screeningRoutes = [
  route({
    method: 'get',
    path: '/v1/screening',
    operationId: 'getScreening',
    summary: 'Read how the screening stands: settings, lists, figures',
    tag: 'Screening',
    details,
    permission: 'read',
    responses: {
      200: {
        means: 'The lists that are demanded with their states, and how many hits wait.',
        body: screeningEnvelope,
      },
    },
    errors: [],
    document: `
      query GetScreening {
        screening {
          settings {
            revision max_age_days: maxAgeDays incomplete_blocks: incompleteBlocks lists confirmed_at: confirmedAt
          }
          lists { ...ScreenedListFields }
          open_hits: openHits oldest_open_at: oldestOpenAt payees_with_hit: payeesWithHit
          payees_confirmed: payeesConfirmed payees_incomplete: payeesIncomplete payees_pending: payeesPending
        }
      }
      ${listFields}`,
    variables: () => ({}),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'get',
    path: '/v1/screening/hits',
    operationId: 'listScreeningHits',
    summary: 'List the hits of the screening, newest first',
    tag: 'Screening',
    permission: 'read',
    query: hitListQuery,
    responses: { 200: { means: 'One page of the hits, newest first.', body: hitList } },
    errors: [],
    document: `
      query ListScreeningHits($first: Int, $after: String, $filter: ScreeningHitFilter) {
        screeningHits(first: $first, after: $after, filter: $filter) {
          edges { node { ...ScreeningHitFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ${hitFields}`,
    variables: ({ query }) => listVariables(query),
    answer: (data) => listAnswer('hits', data['screeningHits']),
  }),
  route({
    method: 'get',
    path: '/v1/screening/hits/:hitId',
    operationId: 'getScreeningHit',
    summary: 'Read a hit, with what was decided on it',
    tag: 'Screening',
    permission: 'read',
    params: hitParams,
    responses: { 200: { means: 'The payee beside the entry of the list.', body: hitEnvelope } },
    errors: ['not_found'],
    document: `
      query GetScreeningHit($id: ID!) { hit: screeningHit(id: $id) { ...ScreeningHitFields } }
      ${hitFields}`,
    variables: ({ params }) => ({ id: params.hitId }),
    answer: (data) => {
      if (data['hit'] === null) throw new DomainError('not_found');
      return { status: 200, body: data };
    },
  }),
  route({
    method: 'post',
    path: '/v1/screening/hits/:hitId/decide',
    operationId: 'decideScreeningHit',
    summary: 'Clear or confirm a hit, with a reason',
    tag: 'Screening',
    details:
      'With `distinct_approver` it is nobody who registered the payee, changed it last or prepared a payout to it that waits. A confirmed hit is cleared by an owner alone.',
    permission: 'screening:decide',
    params: hitParams,
    body: hitDecisionBody,
    responses: {
      200: {
        means:
          'The hit as it is decided. Clearing the last one of a payee lets its held payouts wait for an approval again; confirming one suspends the payee. The same decision of the same person again changes nothing.',
        body: hitEnvelope,
      },
    },
    errors: ['not_found', 'conflict'],
    document: `
      mutation DecideScreeningHit($id: ID!, $verdict: ScreeningVerdict!, $reason: String!, $evidence: String) {
        hit: screeningHitDecide(id: $id, verdict: $verdict, reason: $reason, evidence: $evidence) {
          ...ScreeningHitFields
        }
      }
      ${hitFields}`,
    variables: ({ params, body }) => ({ id: params.hitId, ...body }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'get',
    path: '/v1/beneficiaries/:id/screening',
    operationId: 'getBeneficiaryScreening',
    summary: 'Read what lists of sanctions say of a beneficiary',
    tag: 'Screening',
    permission: 'read',
    params: beneficiaryParams,
    responses: {
      200: {
        means: 'Its standing, the latest result and the latest hits.',
        body: payeeScreeningEnvelope,
      },
    },
    errors: ['not_found'],
    document: `
      query GetBeneficiaryScreening($id: ID!) {
        screening: beneficiary(id: $id) {
          standing: screening screened_at: screenedAt result: screeningResult { ...ScreeningResultFields }
          hits: screeningHits { ...ScreeningHitFields }
        }
      }
      ${resultFields} ${hitFields}`,
    variables: ({ params }) => ({ ...params }),
    answer: (data) => {
      if (data['screening'] === null) throw new DomainError('not_found');
      return { status: 200, body: data };
    },
  }),
  route({
    method: 'get',
    path: '/v1/beneficiaries/:id/screening/results',
    operationId: 'listScreeningResults',
    summary: 'List each look at a beneficiary, newest first',
    tag: 'Screening',
    permission: 'read',
    params: beneficiaryParams,
    query: resultListQuery,
    responses: {
      200: {
        means: 'One page of the results, each with the versions of the lists at that time.',
        body: resultList,
      },
    },
    errors: ['not_found'],
    document: `
      query ListScreeningResults($id: ID!, $first: Int, $after: String) {
        beneficiary(id: $id) { id }
        screeningResults(beneficiaryId: $id, first: $first, after: $after) {
          edges { node { ...ScreeningResultFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ${resultFields}`,
    variables: ({ params, query }) => {
      const { first, after } = listVariables(query);
      return { id: params.id, first, after };
    },
    answer: (data) => {
      if (data['beneficiary'] === null) throw new DomainError('not_found');
      return listAnswer('results', data['screeningResults']);
    },
  }),
];
