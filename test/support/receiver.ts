import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../../src/crypto/signature.ts';
import { readBytes } from '../../rest/http/body.ts';
import { startHttpsServer } from './https-server.ts';
import { createTestAuthority } from './tls.ts';

export interface ReceivedWebhook {
  readonly signature: string | undefined;
  /** W3C Trace Context; absent where no trace is made. */
  readonly traceparent: string | undefined;
  /** Names of all headers, in lower case. */
  readonly headerNames: readonly string[];
  readonly rawBody: Buffer;
  readonly event: { id: string; type: string; data: Record<string, unknown> };
}

export interface WebhookReceiver {
  readonly url: string;
  /** PEM file of the authority that signed the receiver's certificate. */
  readonly caFile: string;
  readonly received: ReceivedWebhook[];
  /** Answers nothing from now on, until what it returns is called. */
  hold(): () => void;
  /** Whether every delivery so far carries a valid signature over its raw bytes. */
  allVerify(secret: string): boolean;
  close(): Promise<void>;
}

/** An HTTPS endpoint that answers 200 and keeps what it gets. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const folder = await mkdtemp(join(tmpdir(), 'receiver-'));
  const caFile = join(folder, 'ca.pem');
  const authority = await createTestAuthority();
  await writeFile(caFile, authority.pem);
  const received: ReceivedWebhook[] = [];
  let open = Promise.resolve();
  const server = await startHttpsServer(
    await authority.issue(['localhost', '127.0.0.1']),
    (request, response) => {
      void readBytes(request, 1_048_576).then((rawBody) => {
        received.push({
          signature: request.headers['x-service-signature'] as string | undefined,
          traceparent: request.headers['traceparent'] as string | undefined,
          headerNames: Object.keys(request.headers),
          rawBody,
          event: JSON.parse(rawBody.toString()) as ReceivedWebhook['event'],
        });
        void open.then(() => response.end());
      });
    },
  );
  return {
    url: `https://localhost:${server.port}/webhooks`,
    caFile,
    received,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      open = promise;
      return () => {
        open = Promise.resolve();
        resolve();
      };
    },
    allVerify: (secret) =>
      received.every(
        ({ signature, rawBody }) =>
          verify(secret, signature, rawBody, Math.floor(Date.now() / 1_000)) === 'valid',
      ),
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
