import { prepareDocument } from '../../schema/prepared/document.ts';
import { Context } from '../../schema/context.ts';
import { failureFromGraphql, type Failure } from '../http/envelope.ts';
import type { RequestFacts, RestParts } from '../route/handler.ts';
import { PageFailure, type FailureKind } from './failure.ts';

/** The registered company that asks. */
export interface Company {
  readonly legalName: string;
  readonly registrationNumber: string | null;
  readonly country: string | null;
}

/** How the business wants its pages to look, and whom a payee can ask. */
export interface Branding {
  readonly color: string | null;
  /** An e-mail address or an https URL. */
  readonly supportContact: string | null;
  readonly privacyUrl: string | null;
  readonly logo: {
    readonly digest: string;
    readonly width: number;
    readonly height: number;
  } | null;
}

/** The file of a logo. */
export interface LogoFile {
  readonly contentType: string;
  readonly digest: string;
  readonly content: string | null;
}

/** What was saved through the link, masked: names, countries and the ends of numbers. */
export interface Review {
  readonly identity: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly businessName: string | null;
    readonly country: string | null;
    readonly birthYear: string | null;
    readonly registrationNumberEnd: string | null;
  } | null;
  readonly address: {
    readonly line1: string;
    readonly city: string;
    readonly country: string;
  } | null;
  readonly bankAccount: {
    readonly accountHolderName: string;
    readonly country: string;
    readonly currency: string;
    readonly identifier: string;
    readonly last4: string;
  } | null;
}

/** What the page may know of a link: whom it is from, how far it got, and what was saved, masked. */
export interface CollectionForm {
  readonly state: 'live' | 'submitted' | 'canceled' | 'superseded' | 'expired';
  readonly scope: 'full_onboarding' | 'bank_details' | 'tax_documents';
  readonly businessName: string;
  readonly company: Company | null;
  readonly branding: Branding;
  readonly environment: 'sandbox' | 'production';
  readonly beneficiaryType: 'person' | 'business';
  readonly expiresAt: string;
  /** The parts that are stored and wait to be sent. */
  readonly given: readonly string[];
  readonly review: Review;
}

/** What an account in a country needs, as the API describes it. */
export interface Corridor {
  readonly country: string;
  readonly payoutUsable: boolean;
  readonly options: readonly {
    readonly validated: boolean;
    readonly fields: readonly { readonly field: string }[];
  }[];
}

/** The answer of an operation: the form after it, or why nothing was done. */
export type Outcome =
  | { readonly form: CollectionForm; readonly failure?: undefined }
  | { readonly failure: Failure };

const formFields = `
  state scope businessName company { legalName registrationNumber country } environment
  branding { color supportContact privacyUrl logo { digest width height } }
  beneficiaryType expiresAt given
  review {
    identity { firstName lastName businessName country birthYear registrationNumberEnd }
    address { line1 city country }
    bankAccount { accountHolderName country currency identifier last4 }
  }`;

const documents = () => ({
  open: prepareDocument(
    `query CollectionPage($token: String!) { form: collectionForm(token: $token) { ${formFields} } }`,
  ),
  corridors: prepareDocument(`
    query CollectionCorridors($token: String!) {
      form: collectionForm(token: $token) {
        corridors { country payoutUsable options { validated fields { field } } }
      }
    }`),
  logo: prepareDocument(`
    query CollectionLogo($token: String!) {
      form: collectionForm(token: $token) {
        branding { logo { contentType digest content } }
      }
    }`),
  save: prepareDocument(`
    mutation CollectionPageSave($token: String!, $input: CollectionInput!) {
      form: collectionSave(token: $token, input: $input) { ${formFields} }
    }`),
  submit: prepareDocument(`
    mutation CollectionPageSubmit($token: String!, $input: CollectionInput) {
      form: collectionSubmit(token: $token, input: $input) { ${formFields} }
    }`),
});

/** The pages of what can happen while the countries are read; any other failure is a fault of ours. */
const pageKinds: Readonly<Record<string, FailureKind>> = {
  too_many_requests: 'tooMany',
  service_unavailable: 'away',
};

/** What a page does with the link that it was opened with. */
export interface Operations {
  /** Null when no request has this token. Opening uses nothing up. */
  open(token: string, facts: RequestFacts): Promise<Outcome | null>;
  /** What each country's accounts need; read once, since it does not change while the process runs. */
  corridors(token: string, facts: RequestFacts): Promise<readonly Corridor[]>;
  /** The logo of the business that asks; null for an unknown token and where there is none. */
  logo(token: string, facts: RequestFacts): Promise<LogoFile | null>;
  save(token: string, input: object, facts: RequestFacts): Promise<Outcome>;
  submit(token: string, input: object | null, facts: RequestFacts): Promise<Outcome>;
}

/** The page for an operation that shows a part of a form and was refused. */
function failed({ code }: Failure): PageFailure {
  return new PageFailure(pageKinds[code] ?? 'ours');
}

/** The operations as GraphQL documents, run in process as those of REST are. */
export function createOperations({ services, run }: RestParts): Operations {
  const prepared = documents();
  let corridors: readonly Corridor[] | null = null;

  async function perform(
    name: keyof typeof prepared,
    variables: Record<string, unknown>,
    { requestId: id, clientAddress, reportLimit, allowance }: RequestFacts,
  ): Promise<{ form: unknown } | { failure: Failure }> {
    // Only the token opens the form: an API key of the caller plays no part in it.
    const context = new Context(services, null, { id, clientAddress, reportLimit, allowance });
    const result = await run(prepared[name], variables, context);
    const [error] = result.errors ?? [];
    if (error !== undefined) return { failure: failureFromGraphql(error) };
    return { form: result.data?.['form'] ?? null };
  }

  return {
    async open(token, facts) {
      const result = await perform('open', { token }, facts);
      if ('failure' in result) return result;
      return result.form === null ? null : { form: result.form as CollectionForm };
    },
    async corridors(token, facts) {
      if (corridors !== null) return corridors;
      const result = await perform('corridors', { token }, facts);
      if ('failure' in result) throw failed(result.failure);
      if (result.form === null) throw new PageFailure('notFound');
      // The document above asks for just these fields.
      corridors = (result.form as { corridors: readonly Corridor[] }).corridors;
      return corridors;
    },
    async logo(token, facts) {
      const result = await perform('logo', { token }, facts);
      if ('failure' in result) throw failed(result.failure);
      const form = result.form as { branding: { logo: LogoFile | null } } | null;
      return form?.branding.logo ?? null;
    },
    save: async (token, input, facts) =>
      (await perform('save', { token, input }, facts)) as Outcome,
    submit: async (token, input, facts) =>
      (await perform('submit', { token, input }, facts)) as Outcome,
  };
}
