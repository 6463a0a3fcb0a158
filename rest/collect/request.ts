import type { Request, Response } from 'express';
import type { Services } from '../../src/process/services.ts';
import { facts } from '../route/handler.ts';
import { PageFailure } from './failure.ts';
import { chooseLanguage, type Language } from './languages.ts';
import type { Texts } from './texts/texts.gen.ts';
import type { View } from './layout.ts';
import { createLinks } from './links.ts';
import type { CollectionForm, Operations, Outcome } from './operations.ts';

/** The form of a token: 256 bits in base64url. The service makes no others. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

export interface PageParts {
  readonly services: Services;
  readonly operations: Operations;
  readonly assets: ReadonlyMap<string, string>;
  readonly texts: Readonly<Record<Language, Texts>>;
}

/** What is known of a request to a page: how to draw it and which link it is about. */
export interface PageRequest {
  readonly request: Request;
  readonly response: Response;
  readonly token: string;
  readonly view: View;
}

/** The view of a page. `here` is its name, for the switch of languages. */
export function viewOf(parts: PageParts, request: Request, token: string, here: string): View {
  const chosen = chooseLanguage(request.query['lang'], request.get('accept-language'));
  const { PUBLIC_URL } = parts.services.config;
  const links = createLinks(PUBLIC_URL, token, here, chosen, parts.assets);
  return { language: chosen.language, texts: parts.texts[chosen.language], links };
}

/** Begins a page. Throws PageFailure with 404 for a token that cannot be one. */
export function beginPage(
  parts: PageParts,
  request: Request<{ token: string }>,
  response: Response,
  here: string,
): PageRequest {
  // The template, because the path holds the token.
  facts(response).route = here === '' ? '/collect/:token' : `/collect/:token/${here}`;
  const { token } = request.params;
  if (!tokenForm.test(token)) throw new PageFailure('notFound');
  const plain = request as unknown as Request; // the parameters are read above
  return { request: plain, response, token, view: viewOf(parts, plain, token, here) };
}

/** Throws the page for a failure that has one, and returns what is left: something to correct. */
export function throwIfFailed(outcome: Outcome): Outcome {
  switch (outcome.failure?.code) {
    case 'too_many_requests':
    case 'RATE_LIMITED':
      throw new PageFailure('tooMany');
    case 'not_found':
      throw new PageFailure('notFound');
    case 'bad_request':
      throw new PageFailure('badRequest');
    case 'service_unavailable':
      throw new PageFailure('away');
    case 'internal_error':
      throw new PageFailure('ours');
    default:
      return outcome;
  }
}

/** The form of the link. Throws PageFailure with 404 for an unknown link, 429 over a limit. */
export async function openForm(parts: PageParts, page: PageRequest): Promise<CollectionForm> {
  const opened = await parts.operations.open(page.token, facts(page.response));
  if (opened === null) throw new PageFailure('notFound');
  facts(page.response).hasLink = true;
  const { form } = throwIfFailed(opened) as { form?: CollectionForm };
  if (form === undefined) throw new PageFailure('ours');
  return form;
}

/** Sends a page. */
export function sendPageText({ response }: PageRequest, text: string, status = 200): void {
  response.status(status).type('html').send(text);
}

/** Sends the reader on after a form was taken (post, redirect, get), so that a reload sends nothing. */
export function goTo({ response }: PageRequest, location: string): void {
  response.redirect(303, location);
}
