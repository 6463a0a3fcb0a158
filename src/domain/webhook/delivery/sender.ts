import type { Config } from '../../../process/config.ts';
import type { Log } from '../../../process/log.ts';
import { createGuardedAgent } from '../../../net/guarded-agent.ts';
import { postSigned, type PostOutcome } from '../../../net/post.ts';
import type { Services } from '../../../process/services.ts';
import { slowMs } from '../schedule/lane.ts';
import { createLanes, type Lanes } from '../schedule/lanes.ts';

/** What a worker process sends webhooks with: connections to public hosts only, and the lanes. */
export interface WebhookSender {
  readonly lanes: Lanes;
  /** One POST of exactly these bytes; never throws. */
  post(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<PostOutcome>;
  /** How long one attempt may take, in milliseconds. */
  readonly deadlineMs: number;
  /** How long an attempt may hold the slot of its job, in milliseconds. */
  readonly slotMs: number;
  /** Takes over an attempt that goes on after its job. */
  goOn(attempt: Promise<void>): void;
  /** Waits for the attempts that were taken over, then closes the connections. */
  close(): Promise<void>;
}

type SenderConfig = Pick<
  Config,
  | 'WEBHOOK_ALLOWED_HOSTS'
  | 'WEBHOOK_ANSWER_BYTES'
  | 'WEBHOOK_EXTRA_CA_FILE'
  | 'WEBHOOK_TIMEOUT_MS'
  | 'WORKER_CONCURRENCY'
>;

const connectMs = 10_000;

interface SenderTimes {
  /** For one attempt, resolution and connection included; WEBHOOK_TIMEOUT_MS by default. */
  readonly deadlineMs?: number;
  /** For the slot of its job; what the lanes take for slow by default. */
  readonly slotMs?: number;
}

/** Makes a sender; its times are in milliseconds. */
export function createWebhookSender(
  config: SenderConfig,
  log: Log,
  { deadlineMs = config.WEBHOOK_TIMEOUT_MS, slotMs = slowMs }: SenderTimes = {},
): WebhookSender {
  const onTheirOwn = new Set<Promise<void>>();
  const agent = createGuardedAgent({
    allowedHosts: config.WEBHOOK_ALLOWED_HOSTS,
    extraCaFile: () => config.WEBHOOK_EXTRA_CA_FILE,
    onCaFileProblem: (error) => log.warn({ message: error.message }, 'WEBHOOK_EXTRA_CA_FILE'),
    connectTimeoutMs: connectMs,
  });
  return {
    lanes: createLanes(config.WORKER_CONCURRENCY),
    post: (url, headers, body) =>
      postSigned({
        agent,
        url,
        headers,
        body,
        deadlineMs,
        answerCap: config.WEBHOOK_ANSWER_BYTES,
      }),
    deadlineMs,
    slotMs,
    goOn(attempt) {
      const ended = attempt
        // Its delivery is sent again when the lease has ended.
        .catch((error: unknown) =>
          log.error(
            { message: messageOf(error) },
            'the outcome of a webhook attempt could not be recorded; the delivery is sent again',
          ),
        )
        .finally(() => onTheirOwn.delete(ended));
      onTheirOwn.add(ended);
    },
    async close() {
      await Promise.all(onTheirOwn);
      await agent.close();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}

const senders = new WeakMap<Services, WebhookSender>();

/** The one sender of a process, made when it is first needed. */
export function webhookSenderOf(services: Services): WebhookSender {
  let sender = senders.get(services);
  if (sender === undefined) {
    sender = createWebhookSender(services.config, services.log);
    senders.set(services, sender);
  }
  return sender;
}

/** Closes the sender of a process, after its last job: waits for the attempts under way. */
export async function closeWebhookSender(services: Services): Promise<void> {
  await senders.get(services)?.close();
  senders.delete(services);
}
