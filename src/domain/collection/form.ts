import { openCollectionLink } from '../../access/collection-link.ts';
import type { Environment } from '../../access/scope.ts';
import {
  admitCollectionClient,
  admitCollectionRequest,
  type LinkClient,
} from '../../access/rate-limit/collection.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import type { BeneficiaryType } from '../beneficiary/identity.ts';
import { toBranding, type Branding } from './branding.ts';
import { openDraft, partsGiven, type DraftPart } from './draft.ts';
import { reviewOf, type Review } from './review.ts';
import { readForm, type CollectionScope, type CollectionState, type FormRow } from './request.ts';

/** The registered company behind a name, as the profile of the business says it. */
export interface AskingCompany {
  readonly legalName: string;
  readonly registrationNumber: string | null;
  /** ISO 3166-1 alpha-2 country of registration. */
  readonly country: string | null;
}

/** What somebody who holds the link may see: who asks for what, and how far the form is. */
export interface CollectionForm {
  readonly state: CollectionState;
  readonly scope: CollectionScope;
  /** The legal name of the business, else the name that it registered with. */
  readonly businessName: string;
  /** Null while the profile of the business does not tell its legal name. */
  readonly company: AskingCompany | null;
  readonly branding: Branding;
  readonly environment: Environment;
  readonly beneficiaryType: BeneficiaryType;
  readonly expiresAt: Date;
  /** Parts that wait in the draft, whole. */
  readonly given: readonly DraftPart[];
  /** What waits in the draft, masked; all null when the link is not live. */
  readonly review: Review;
}

/** A link that was opened: whose request it is, and the scope of the payee. */
export interface OpenForm {
  readonly call: Call;
  readonly requestId: string;
}

/** Opens the link of a token under the limits; null for an unknown one. Throws too_many_requests. */
async function openForm(client: LinkClient, token: string): Promise<OpenForm | null> {
  const { services, clientAddress, reportLimit } = client;
  await admitCollectionClient(services, clientAddress, reportLimit);
  const link = await openCollectionLink(services.pool, token);
  if (link === null) return null;
  await admitCollectionRequest(services, link.requestId, reportLimit);
  return { call: { services, scope: link.scope }, requestId: link.requestId };
}

/** As `openForm`, for the commands. Throws not_found too. */
export async function requireForm(client: LinkClient, token: string): Promise<OpenForm> {
  const form = await openForm(client, token);
  if (form === null) throw new DomainError('not_found', { message: 'The link is unknown.' });
  return form;
}

function companyOf({ legalName, registrationNumber, companyCountry }: FormRow) {
  return legalName === null ? null : { legalName, registrationNumber, country: companyCountry };
}

/** The form of a row. Of the payee it holds what waits in the draft, masked, and nothing that the business knows. */
export function toForm(call: Call, row: FormRow): CollectionForm {
  const { state, beneficiaryType } = row;
  const draft = state === 'live' ? openDraft(call, row.id, row.draft) : {};
  return {
    state,
    scope: row.scope as CollectionScope, // held by a CHECK constraint
    businessName: row.businessName,
    company: companyOf(row),
    branding: toBranding(call, row.branding),
    environment: call.scope.environment,
    beneficiaryType,
    expiresAt: row.expiresAt,
    given: partsGiven(draft, beneficiaryType),
    review: reviewOf(draft),
  };
}

/**
 * What a link shows; null for an unknown token. Opening a link does not use it up. Throws too_many_requests.
 */
export async function readCollectionForm(
  client: LinkClient,
  token: string,
): Promise<CollectionForm | null> {
  const form = await openForm(client, token);
  if (form === null) return null;
  return toForm(form.call, await readForm(form.call, form.requestId));
}

const reasons: Readonly<Record<Exclude<CollectionState, 'live'>, string>> = {
  submitted: 'The link was used already.',
  canceled: 'The request was canceled.',
  superseded: 'The link was replaced by a newer one.',
  expired: 'The link has expired.',
};

/** The refusal of a command on a request that has ended. */
export function notLive(state: CollectionState): DomainError {
  return new DomainError('conflict', {
    message:
      state === 'live'
        ? 'Another request changed the form at the same time; send the request again.'
        : reasons[state],
  });
}
