import { Agent, request } from 'node:http';
import { patience } from '../support/patience.ts';
import { envelopeFaults, type DescribedAnswer } from './document.ts';
import { fillIn } from './marks.ts';
import type { Draft } from './requests.ts';

export interface Answer extends DescribedAnswer {
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** A request as it goes over the wire. */
export interface Sent {
  readonly draft: Draft;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** Fills in the ids, and the key unless the draft has an Authorization header of its own. */
export function prepare(draft: Draft, key: string, ids: Readonly<Record<string, string>>): Sent {
  const { operation, path, query, headers } = draft;
  const target = operation.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(fillIn(path[name] ?? '', ids).toWellFormed()),
  );
  const search = decodeMarks(query, ids);
  const body = typeof draft.body === 'string' ? Buffer.from(fillIn(draft.body, ids)) : draft.body;
  return {
    draft,
    method: operation.method,
    target: search === '' ? target : `${target}?${search}`,
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  };
}

/** A mark within a query is encoded as its text. */
function decodeMarks(query: string, ids: Readonly<Record<string, string>>): string {
  const edge = encodeURIComponent('\u{f8fe}');
  return query.replaceAll(
    new RegExp(`${edge}(\\w+?)${edge}`, 'gu'),
    (_, name: string) => ids[name] ?? name,
  );
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request as it is; no client library makes it better first. */
export function send(baseUrl: string, { method, target, headers, body }: Sent): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { hostname, port } = new URL(baseUrl);
  const length = body === null ? {} : { 'content-length': body.length };
  const options = { hostname, port, method, path: target, agent, signal: patience() };
  const outgoing = request({ ...options, headers: { ...headers, ...length } }, (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('error', reject);
    incoming.once('end', () => {
      const type = (incoming.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: incoming.statusCode ?? 0, type, text, headers: incoming.headers });
    });
  });
  outgoing.once('error', reject);
  outgoing.end(body);
  return promise;
}

/** Words by which the libraries that read input speak; callers are told in the service's own. */
const libraryWords =
  /\bzod\b|Invalid (input|option|string|key|union)|\breceived \w+|Unrecognized key|Too (small|big):|expected \w+, |Unexpected (token|end|string)|in JSON at|Variable "\$|got invalid value|cannot represent|\bCSV_|Syntax Error/u;

/** Whether an answer to a bulk request refuses one of its rows. */
function refusesRow(text: string): boolean {
  const { results = [] } = JSON.parse(text) as { results?: { status: string }[] };
  return results.some(({ status }) => status === 'failed');
}

/** Everything that is wrong with an answer. */
export function judge({ draft }: Sent, answer: Answer): string[] {
  const { status, text, headers } = answer;
  const problems: string[] = [];
  if (status >= 500) problems.push(`status ${status}`);
  if (draft.refused && status < 400 && !refusesRow(text))
    problems.push(`accepted with ${status} what it has to refuse`);
  if (headers['x-request-id'] === undefined) problems.push('no X-Request-Id');
  // An odd segment may lead to another endpoint, or to none.
  const found =
    status >= 400 && draft.kind === 'odd path'
      ? envelopeFaults(text, undefined)
      : draft.operation.faultsOf(answer);
  problems.push(...found);
  const words = status >= 400 ? libraryWords.exec(text) : null;
  if (words !== null) problems.push(`a library speaks: ${words[0]}`);
  return problems;
}

const shortened = (text: string): string =>
  JSON.stringify(text.length > 400 ? `${text.slice(0, 400)}…` : text);

/** A problem as somebody needs it to send the request again. */
export function describe({ draft, method, target, headers, body }: Sent, answer: Answer): string {
  const { authorization: _, ...told } = headers;
  return [
    `${draft.operation.id}, ${draft.kind}: ${method} ${shortened(target)} ${JSON.stringify(told)}`,
    `  sent ${body === null ? 'nothing' : shortened(body.toString('latin1'))}`,
    `  got ${answer.status} ${shortened(answer.text)}`,
  ].join('\n');
}
