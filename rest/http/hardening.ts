import { parse } from 'node:querystring';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { DomainError } from '../../src/errors/domain-error.ts';
import { HttpError } from './http-error.ts';

/** Longest request target. Proxies and browsers stop in this region; no operation comes near it. */
const urlLimit = 8 * 1024;

/**
 * Headers that decide which host is asked, who asks, and how the body is read. Node keeps the first
 * of several, and a proxy in front may have used the last, so a request with two of them is refused
 * (RFC 9112, section 3.2, demands it for Host).
 */
const singleHeaders = new Set(['host', 'authorization', 'content-type']);

function repeatedHeader(request: IncomingMessage): string | null {
  const seen = new Set<string>();
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i]?.toLowerCase() ?? '';
    if (!singleHeaders.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/** Null where the percent-encoding is malformed. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Refuses requests whose head can be read in two ways, or not at all. */
export const checkHead: RequestHandler = (request, response, next) => {
  const malformed = (message: string): DomainError => new DomainError('bad_request', { message });
  const repeated = repeatedHeader(request);
  if (repeated !== null) {
    // What follows on this connection may not be what its sender thinks it is.
    response.setHeader('Connection', 'close');
    throw malformed(`The header ${repeated} is there twice.`);
  }
  if (request.headers.host === undefined && request.httpVersion !== '1.0') {
    throw malformed('The header host is missing.');
  }
  if (request.url.length > urlLimit) {
    throw new HttpError(414, `The URL is longer than ${urlLimit} characters.`);
  }
  if (decoded(request.url) === null) throw malformed('The URL has malformed percent-encoding.');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw malformed('A Content-Encoding is not supported.');
  }
  next();
};

/**
 * Query strings as flat lists of values: a repeated parameter becomes a list, which a contract that
 * takes one value refuses. All are read, so that none can hide behind the thousandth.
 */
export const parseQuery = (text: string): object => parse(text, '&', '=', { maxKeys: 0 });

const nothing = ["'none'"];

/** Answers that are no documents load nothing and may not be framed. */
const apiDirectives = {
  defaultSrc: nothing,
  baseUri: nothing,
  formAction: nothing,
  frameAncestors: nothing,
};

/** Helmet's headers are the same for every request, so they are asked for once. */
function headersWith(directives: Record<string, string[]>): RequestHandler {
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    xFrameOptions: { action: 'deny' },
  });
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  secure(sample.req, sample, () => undefined);
  const headers = Object.entries(sample.getHeaders());
  return (_request, response, next) => {
    for (const [name, value] of headers) if (value !== undefined) response.setHeader(name, value);
    next();
  };
}

/** Security headers of every answer. */
export const apiHeaders = headersWith(apiDirectives);

/**
 * Security headers of the documents that this server makes: its own files and nothing inline. The
 * script asks for the index of the search, and the form of the search leads back here.
 */
export const documentHeaders = headersWith({
  ...apiDirectives,
  formAction: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
});

/**
 * Security headers of the console: the files of its build and nothing inline, neither script nor style. It
 * talks to this server alone, and no form of it is sent by the browser.
 */
export const consoleHeaders = headersWith({
  ...apiDirectives,
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  fontSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
});

/**
 * Security headers of the collection pages: their own style sheet, script and icon, and forms that
 * lead back here. No address of theirs, which holds a token, is told to anybody as a referrer.
 */
export const collectHeaders = headersWith({
  ...apiDirectives,
  formAction: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
});

/** GraphiQL is one page with its scripts inline. It is a tool of development; production has none. */
export const graphiqlHeaders = headersWith({
  ...apiDirectives,
  scriptSrc: ["'unsafe-inline'", "'unsafe-eval'", 'blob:', 'data:'],
  styleSrc: ["'unsafe-inline'", 'data:'],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ['data:'],
  workerSrc: ['blob:', 'data:'],
  connectSrc: ["'self'", 'blob:', 'data:'],
});

/** What a caller was shown is for nobody else: no cache keeps it. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
