import { inspect } from 'node:util';
import { expect } from 'vitest';
import type { ConnectedProvider } from '../../../src/providers/adapter.ts';
import { ProviderError, ProviderEventRefused } from '../../../src/providers/port.ts';
import type {
  EnrollRequest,
  FailureCode,
  PayoutEventType,
  ProviderPort,
  SubmitRequest,
  Verdict,
} from '../../../src/providers/port.ts';
import { startLine, type Answer, type Line } from '../../support/provider-kit/line.ts';
import { listen } from '../support.ts';

/** An answer of the provider's own that is not a success, and what it means for the money. */
export interface ProviderAnswer extends Answer {
  readonly what: string;
  readonly verdict: Verdict;
  readonly code?: FailureCode;
}

export interface SignedEvent {
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an event is to say, and how it is signed. */
export interface EventWish {
  readonly type?: Extract<PayoutEventType, 'disbursed' | 'settled' | 'failed' | 'returned'>;
  /** When it happened; the same payment's events are told apart by it. */
  readonly occurredAt?: string;
  readonly reference?: string;
  /** The secret that signs it: `previous` is the one before the last rotation. */
  readonly secret?: 'current' | 'previous' | 'forged';
}

/** The parts of a payment in an answer that the service compares with its request. */
export type PaymentPart = 'id' | 'reference' | 'amount' | 'currency' | 'status';

/** A provider, or what stands in for it, and how it is asked and spoken for. */
export interface ConformanceSubject {
  /** Where it listens. */
  readonly url: string;
  /** The adapter, for a provider at this address. */
  connect(url: string): ConnectedProvider;
  /** A new request whose destination the provider takes, refuses, or holds at submission. */
  enrollRequest(kind: 'good' | 'refused' | 'held'): EnrollRequest;
  submitRequest(recipientId: string): SubmitRequest;
  /** How many payments it took for a reference. */
  taken(reference: string): Promise<number>;
  /** Each payment in a parsed answer to a submission or a look-up. */
  paymentsIn(answer: unknown): readonly Record<string, unknown>[];
  /** Gives one part of such a payment another value, or takes it away. */
  write(payment: Record<string, unknown>, part: PaymentPart, value: string | number | null): void;
  /** The answer of a look-up that finds nothing. */
  readonly emptyList: string;
  /** A refusal in the provider's own shape, with a text of its own. */
  refusalSaying(text: string): Answer;
  payoutEvent(timestamp: number, wish?: EventWish): SignedEvent;
  /** A body that is signed correctly, but need not be an event. */
  signed(timestamp: number, body: string): SignedEvent;
  /** An event about a recipient; null where the provider has none. */
  recipientEvent: ((timestamp: number) => SignedEvent) | null;
  /** Credentials that no error may contain. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

/** A provider as the suite is told of it. */
export interface ConformanceCase {
  /** Every refusal of its description, with the verdict that it means. */
  readonly answers: readonly ProviderAnswer[];
  /** Whether its compliance may hold a submission of which nothing was taken. */
  readonly holds: boolean;
  /** Whether it has recipients of its own, which it may not know. */
  readonly enrolls: boolean;
  /** Whether a signature says when it was made, so that an old one is refused. */
  readonly datedSignatures: boolean;
  /** Whether a look-up comes in pages. */
  readonly pages: boolean;
  /** Whether the provider finds payments by our reference; otherwise the adapter chooses among those of a recipient. */
  readonly findsByReference: boolean;
  readonly start: () => Promise<ConformanceSubject>;
}

/** A subject with the line between it and the adapter. */
export interface ConformanceWorld {
  readonly subject: ConformanceSubject;
  readonly line: Line;
  readonly provider: ProviderPort;
  /** The same adapter, with nobody at the provider's address. */
  readonly unreachable: ProviderPort;
  readonly recipientId: string;
  close(): Promise<void>;
}

/** Puts a guard around the adapter, or nothing. */
export type Wrap = (provider: ConnectedProvider) => ProviderPort;

export async function startConformanceWorld(
  start: ConformanceCase['start'],
  wrap: Wrap,
): Promise<ConformanceWorld> {
  const subject = await start();
  const line = await startLine(subject.url);
  const nobody = await listen(() => undefined);
  await nobody.close();
  const connected = subject.connect(`${line.url}/`);
  const alone = subject.connect(nobody.url);
  const provider = wrap(connected);
  const { recipientId } = await provider.enroll(subject.enrollRequest('good'));
  return {
    subject,
    line,
    provider,
    unreachable: wrap(alone),
    recipientId,
    async close() {
      await connected.close();
      await alone.close();
      await line.close();
      await subject.close();
    },
  };
}

interface Failure {
  readonly verdict: Verdict;
  readonly code: FailureCode;
}

/** The verdict and code of a call that must fail with a ProviderError, which tells no secret. */
export async function failureOf(
  call: Promise<unknown>,
  secrets: readonly string[],
): Promise<Failure> {
  const outcome = await call.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(ProviderError);
  const told = inspect(outcome, { depth: null, showHidden: true });
  for (const secret of secrets) expect(told).not.toContain(secret);
  const { verdict, code } = outcome as ProviderError;
  return { verdict, code };
}

/** The status with which an event is refused. */
export async function refusalOf(read: () => Promise<unknown>): Promise<number> {
  try {
    await read();
  } catch (error) {
    expect(error).toBeInstanceOf(ProviderEventRefused);
    return (error as ProviderEventRefused).status;
  }
  throw new Error('the event was accepted');
}
