import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import { createGuardedAgent } from '../../net/guarded-agent.ts';
import { postSigned, type PostOutcome } from '../../net/post.ts';
import type { Services } from '../../services.ts';
import { createLanes, type Lanes } from './lanes.ts';

/** What a worker process sends webhooks with: connections that reach public hosts alone, and lanes. */
export interface WebhookSender {
  readonly lanes: Lanes;
  /** One POST of exactly these bytes; never throws. */
  post(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<PostOutcome>;
  /** Ends the connections that are kept alive. */
  close(): Promise<void>;
}

type SenderConfig = Pick<
  Config,
  'WEBHOOK_ALLOWED_HOSTS' | 'WEBHOOK_EXTRA_CA_FILE' | 'WORKER_CONCURRENCY'
>;

/** How long an attempt may take (decisions 9). */
const attemptMs = 15_000;
const connectMs = 10_000;

/** Makes a sender; `deadlineMs` is the time for one attempt, resolution and connection included. */
export function createWebhookSender(
  config: SenderConfig,
  log: Log,
  { deadlineMs = attemptMs }: { readonly deadlineMs?: number } = {},
): WebhookSender {
  const agent = createGuardedAgent({
    allowedHosts: config.WEBHOOK_ALLOWED_HOSTS,
    extraCaFile: () => config.WEBHOOK_EXTRA_CA_FILE,
    onCaFileProblem: (error) => log.warn({ message: error.message }, 'WEBHOOK_EXTRA_CA_FILE'),
    connectTimeoutMs: connectMs,
  });
  return {
    lanes: createLanes(config.WORKER_CONCURRENCY),
    post: (url, headers, body) => postSigned({ agent, url, headers, body, deadlineMs }),
    close: () => agent.close(),
  };
}

const senders = new WeakMap<Services, WebhookSender>();

/** The one sender of a process, made at the first delivery. */
export function webhookSenderOf(services: Services): WebhookSender {
  let sender = senders.get(services);
  if (sender === undefined) {
    sender = createWebhookSender(services.config, services.log);
    senders.set(services, sender);
  }
  return sender;
}
