import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DescribedOperation, DescribedRequest, Description, Example } from './description.ts';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a provider does with a request that its description permits. */
export type Handler = (request: DescribedRequest) => Reply;

export interface DescribedProvider {
  readonly description: Description;
  /** What comes before each path of the description. */
  readonly basePath: string;
  /** The refusal of a request by its headers; null for none. */
  authenticate(operation: DescribedOperation, request: DescribedRequest): Reply | null;
  /** The refusal of a request with faults, in the provider's own shape. */
  refuse(operation: DescribedOperation, faults: readonly string[]): Reply;
  /** By operation; any other is answered with an example or a sample of the description. */
  readonly handlers: Readonly<Record<string, Handler>>;
}

export interface DescribedServer {
  readonly url: string;
  /** Answers that the description does not permit: faults of the fake, of which a test wants to know. */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

/** The example that belongs to a request: the one of the same name as the request's, the first there is, or a sample. */
function exampleFor(operation: DescribedOperation, body: unknown): Reply {
  const sent = JSON.stringify(body);
  const asked = operation.requests.find(({ value }) => JSON.stringify(value) === sent);
  for (const status of operation.statuses.filter((one) => one < 300)) {
    const examples: readonly Example[] = operation.answers[status] ?? [];
    const found = examples.find(({ name }) => name === asked?.name) ?? examples[0];
    if (found !== undefined) return { status, body: found.value };
  }
  const status = operation.statuses.find((one) => one < 300) ?? 200;
  return { status, body: operation.sampleAnswer(status) };
}

async function requestOf(
  incoming: IncomingMessage,
  url: URL,
  path: Readonly<Record<string, string>>,
): Promise<DescribedRequest | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  try {
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    return { path, query: url.searchParams, headers, body };
  } catch {
    return null;
  }
}

/**
 * A provider on a free port of the loopback address, made from its description: every request is validated before
 * anything is done, and every answer before it leaves.
 */
export async function startDescribedServer(provider: DescribedProvider): Promise<DescribedServer> {
  const violations: string[] = [];

  async function reply(incoming: IncomingMessage): Promise<Reply> {
    const url = new URL(incoming.url ?? '/', 'http://localhost');
    const found = url.pathname.startsWith(provider.basePath)
      ? provider.description.find(
          incoming.method ?? 'GET',
          url.pathname.slice(provider.basePath.length),
        )
      : null;
    if (found === null) return { status: 404, body: {} };
    const { operation, parameters } = found;
    const request = await requestOf(incoming, url, parameters);
    if (request === null) return provider.refuse(operation, ['the body is not JSON']);
    const stranger = provider.authenticate(operation, request);
    if (stranger !== null) return checked(operation, stranger);
    const faults = operation.faultsOfRequest(request);
    if (faults.length > 0) return checked(operation, provider.refuse(operation, faults));
    const handler = provider.handlers[operation.id];
    return checked(operation, handler?.(request) ?? exampleFor(operation, request.body));
  }

  function checked(operation: DescribedOperation, answer: Reply): Reply {
    const faults = operation.faultsOfAnswer(answer.status, answer.body);
    violations.push(...faults.map((fault) => `${operation.id} ${answer.status}: ${fault}`));
    return answer;
  }

  const server = createServer((incoming, response) => {
    void reply(incoming).then(({ status, headers, body }) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${provider.basePath}`,
    violations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
