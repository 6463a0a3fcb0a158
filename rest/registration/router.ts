import { Router, type ErrorRequestHandler, type Request, type Response } from 'express';
import { Context } from '../../schema/context.ts';
import { prepareDocument } from '../../schema/prepared/document.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { readForm } from '../collect/body.ts';
import { PageFailure } from '../collect/failure.ts';
import { only } from '../collect/only.ts';
import { isForeign } from '../collect/origin.ts';
import { failureFromGraphql, type Failure } from '../http/envelope.ts';
import { checkHead, collectHeaders, noStore } from '../http/hardening.ts';
import { HttpError } from '../http/http-error.ts';
import { facts, failureOfError, unavailableSeconds, type RestParts } from '../route/handler.ts';
import { notePage, proofPage, provenPage, type Places, type Proof } from './page.ts';

/** The form of a token: 256 bits in base64url. The service makes no others. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

const documents = () => ({
  look: prepareDocument(`
    query RegistrationPage($token: String!) {
      proof: registrationProof(token: $token) {
        state kind email companyName registeredAt askedCompanyName
        keys { id name role createdAt lastUsedAt }
        members { id role email }
      }
    }`),
  prove: prepareDocument(`
    mutation RegistrationPageProve($token: String!, $takeOver: Boolean!, $keys: [ID!]!, $members: [ID!]!) {
      proven: registrationProve(token: $token, takeOver: $takeOver, keyIds: $keys, membershipIds: $members) {
        businessId
        apiKey { key }
      }
    }`),
});

type RegistrationAnswer =
  | { readonly data: Readonly<Record<string, unknown>> }
  | { readonly failure: Failure };

/** Runs the operations behind the pages, with the token as the credential. */
function createRun(parts: RestParts) {
  const prepared = documents();
  return async (
    response: Response,
    name: keyof typeof prepared,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<RegistrationAnswer> => {
    const { requestId: id, clientAddress, reportLimit, allowance } = facts(response);
    const about = { id, clientAddress, reportLimit, allowance, ownDocument: true };
    const context = new Context(parts.services, null, about);
    const { data, errors } = await parts.run(prepared[name], variables, context);
    const [error] = errors ?? [];
    return error === undefined ? { data: data ?? {} } : { failure: failureFromGraphql(error) };
  };
}

/** What a page says of a failure, by its code, and its status. */
function pageOfFailure(places: Places, { code, message }: Failure): readonly [number, string] {
  switch (code) {
    case 'not_found':
      return [404, notePage(places, 'This link is unknown', 'Open it as it stands in the mail.')];
    case 'too_many_requests':
    case 'RATE_LIMITED':
      return [429, notePage(places, 'Too many tries', 'Wait a minute, and open the link again.')];
    case 'service_unavailable':
      return [503, notePage(places, 'We are away for a moment', 'Try again in a minute.')];
    case 'conflict':
    case 'EMAIL_ALREADY_REGISTERED':
    case 'COMPANY_DOMAIN_ALREADY_CLAIMED':
      return [409, notePage(places, 'Nothing was done', message, true)];
    case 'bad_request':
    case 'validation_failed':
      return [400, notePage(places, 'This could not be read', 'Open the link of the mail again.')];
    default:
      return [500, notePage(places, 'Something went wrong here', 'Try again in a minute.')];
  }
}

function sendPage(response: Response, [status, page]: readonly [number, string]): void {
  if (status === 503) response.setHeader('Retry-After', unavailableSeconds);
  response.status(status).type('html').send(page);
}

function answerErrors(parts: RestParts, places: Places): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const told =
      error instanceof PageFailure || error instanceof HttpError
        ? { code: 'bad_request' as const, message: '', details: [] }
        : failureOfError(parts.services, facts(response).requestId, error);
    const [status, page] = pageOfFailure(places, told);
    const own = error instanceof PageFailure || error instanceof HttpError ? error.status : status;
    sendPage(response, [own, page]);
  };
}

/** Whether the claim is to be taken over. Throws bad_request for a form without one of the two buttons. */
function takesOver(choice: string | undefined): boolean {
  if (choice === 'take') return true;
  if (choice === 'keep') return false;
  throw new DomainError('bad_request', { message: 'choice must be keep or take.' });
}

/** The ids whose boxes were ticked, of the form `<kind>.<id>`. */
const ticked = (values: Readonly<Record<string, string>>, kind: string): readonly string[] =>
  Object.keys(values).flatMap((name) =>
    name.startsWith(`${kind}.`) ? [name.slice(kind.length + 1)] : [],
  );

/**
 * The pages `/registration/<token>`, on which whoever has a mailbox proves the registration that was made with its
 * address. Opening the page changes nothing; its button does. The token is the only credential, so no cookie is
 * read, and every rule is in the operations.
 */
export function createRegistration(parts: RestParts): Router {
  const { PUBLIC_URL } = parts.services.config;
  const places: Places = { base: new URL(PUBLIC_URL).pathname.replace(/\/$/, '') };
  const run = createRun(parts);
  const router = Router({ caseSensitive: true });
  router.use((_request, response, next) => {
    // The template, because the path holds the token.
    facts(response).route = '/registration/:token';
    next();
  });
  router.use(collectHeaders, noStore, checkHead);
  const tokenOf = ({ params }: Request<{ token: string }>): string => {
    if (!tokenForm.test(params.token)) throw new DomainError('not_found');
    return params.token;
  };
  router.all('/:token', only('GET', 'HEAD', 'POST'));
  router.get('/:token', async (request, response) => {
    const answer = await run(response, 'look', { token: tokenOf(request) });
    if ('failure' in answer) sendPage(response, pageOfFailure(places, answer.failure));
    else {
      // The document asks for these fields.
      const proof = answer.data['proof'] as Proof;
      sendPage(response, [proof.state === 'live' ? 200 : 410, proofPage(places, proof)]);
    }
  });
  router.post('/:token', async (request, response) => {
    const token = tokenOf(request);
    // The parameters are read above.
    const plain = request as unknown as Request;
    if (isForeign(plain, PUBLIC_URL)) throw new PageFailure('foreign');
    const values = await readForm(plain);
    const takeOver = takesOver(values['choice']);
    const [keys, members] = [ticked(values, 'key'), ticked(values, 'member')];
    const answer = await run(response, 'prove', { token, takeOver, keys, members });
    if ('failure' in answer) sendPage(response, pageOfFailure(places, answer.failure));
    else {
      const proven = answer.data['proven'] as { readonly apiKey: { readonly key: string } | null };
      sendPage(response, [200, provenPage(places, proven.apiKey?.key ?? null)]);
    }
  });
  router.use(() => {
    throw new DomainError('not_found');
  });
  router.use(answerErrors(parts, places));
  return router;
}
