import { describe, expect, it } from 'vitest';
import type { SubmitRequest } from '../../../src/providers/port.ts';
import {
  afterwards,
  bloat,
  cutAfter,
  cutBefore,
  endless,
  halve,
  instead,
  silence,
  swallow,
  truncate,
  type Answer,
} from '../../support/provider-kit/line.ts';
import { eventually } from '../../support/factory.ts';
import { patience } from '../../support/patience.ts';
import { failureOf, type ConformanceCase, type ConformanceWorld } from './subject.ts';

const html = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><body>Something on the way said this.</body></html>',
});

/** Whoever is on the way may say any of these, and none is the provider's word. */
const strangers = [400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415, 422, 451];
const troubledServers = [500, 501, 502, 503, 504, 520];

const limits: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['without Retry-After', {}],
  ['with Retry-After in seconds', { 'retry-after': '2' }],
  ['with Retry-After as a date', { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
  ['with a Retry-After that cannot be read', { 'retry-after': 'soon' }],
];

/** What each way in which a call can fail means for the money. */
export function describeFailures(
  { answers, enrolls }: ConformanceCase,
  world: () => ConformanceWorld,
): void {
  const request = (): SubmitRequest => world().subject.submitRequest(world().recipientId);
  const failure = (call: Promise<unknown>) => failureOf(call, world().subject.secrets);
  const submit = (asked: SubmitRequest, signal = patience()) =>
    world().provider.submit(asked, signal);
  const taken = (reference: string) => world().subject.taken(reference);
  const lookUp = (reference: string, provider = world().provider) =>
    provider.lookUp({ reference, recipientId: world().recipientId }, patience());

  /** The verdict of a look-up that fails in the same way, which never tells anything. */
  async function expectBlindLookUp(said: Answer, reference: string): Promise<void> {
    world().line.next(instead(said));
    expect((await failure(lookUp(reference))).verdict).toBe('unknown');
  }

  describe('an answer of the provider', () => {
    it.each(answers)('$what is $verdict', async ({ status, headers, body, verdict, code }) => {
      const said = { status, body, ...(headers && { headers }) };
      const asked = request();
      world().line.next(instead(said));
      const outcome = await failure(submit(asked));
      expect(outcome).toMatchObject({ verdict, ...(code && { code }) });
      await expectBlindLookUp(said, asked.reference);
    });

    it.each(limits)('429 %s may be sent again', async (_how, headers) => {
      const asked = request();
      world().line.next(instead({ status: 429, headers, body: '' }));
      expect((await failure(submit(asked))).verdict).toBe('retry');
      expect(await taken(asked.reference)).toBe(0);
      await expectBlindLookUp({ status: 429, headers, body: '' }, asked.reference);
    });

    it('tells no credential that it repeats', async () => {
      const { subject, line } = world();
      for (const secret of subject.secrets) {
        line.next(instead(subject.refusalSaying(`the key ${secret} is not known`)));
        await failure(submit(request()));
        line.next(instead({ ...subject.refusalSaying(`no ${secret}`), status: 401 }));
        await failure(submit(request()));
      }
    });
  });

  describe('an answer that is not the word of the provider', () => {
    it.each([...strangers, ...troubledServers])('%i says nothing of the money', async (status) => {
      const asked = request();
      world().line.next(instead(html(status)));
      expect((await failure(submit(asked))).verdict).toBe('unknown');
      await expectBlindLookUp(html(status), asked.reference);
    });

    it.each([
      ['HTML', html(200)],
      ['nothing', { status: 200, body: '' }],
      ['nothing, as 204', { status: 204, body: '' }],
      ['an empty object', { status: 200, body: '{}' }],
      ['null', { status: 201, body: 'null' }],
      ['a list', { status: 202, body: '[]' }],
      ['a redirect', { status: 302, headers: { location: '/' }, body: '' }],
    ] satisfies [string, Answer][])('%s says nothing of the money', async (_what, said) => {
      const asked = request();
      world().line.next(instead(said));
      expect((await failure(submit(asked))).verdict).toBe('unknown');
      await expectBlindLookUp(said, asked.reference);
    });

    it('is not believed though a redirect brings a payment', async () => {
      const asked = request();
      world().line.next(async ({ forward, answer }) =>
        answer({ ...(await forward()), status: 307, headers: { location: '/' } }),
      );
      expect((await failure(submit(asked))).verdict).toBe('unknown');
      expect(await taken(asked.reference)).toBe(1);
    });
  });

  describe('a call that is lost', () => {
    it.each([
      ['an answer 500 after the payment', afterwards(html(500)), 1],
      ['an answer 502 after the payment', afterwards({ status: 502, body: '' }), 1],
      ['HTML after the payment', afterwards(html(200)), 1],
      ['a connection cut before the payment', cutBefore, 0],
      ['a connection cut after the payment', cutAfter, 1],
      ['a connection cut within the answer', truncate, 1],
      ['an answer that ends too early', halve, 1],
      ['an answer that is too large', bloat, 1],
      ['an answer without an end', endless, 1],
    ] as const)('by %s is unknown until it is looked up', async (_how, trouble, paid) => {
      const asked = request();
      world().line.next(trouble);
      expect((await failure(submit(asked))).verdict).toBe('unknown');
      expect(await taken(asked.reference)).toBe(paid);
      const found = await lookUp(asked.reference);
      expect(found.map(({ reference }) => reference)).toEqual(
        Array.from({ length: paid }, () => asked.reference),
      );
      await submit(asked);
      expect(await taken(asked.reference)).toBe(1);
    });

    it('in silence after the payment ends by its signal, and pays once', async () => {
      const asked = request();
      world().line.next(silence);
      const cut = new AbortController();
      const outcome = failure(submit(asked, cut.signal));
      // Cut only once the provider has taken it: the worst moment.
      await eventually(async () => (await taken(asked.reference)) > 0);
      cut.abort();
      expect((await outcome).verdict).toBe('unknown');
      const found = await lookUp(asked.reference);
      expect(found).toMatchObject([{ reference: asked.reference }]);
      const resent = await submit(asked);
      expect(resent.providerPayoutId).toBe(found[0]?.providerPayoutId);
      expect(await taken(asked.reference)).toBe(1);
    });

    it('in silence before the payment ends by its signal, not knowing the outcome', async () => {
      const asked = request();
      const before = world().line.arrived();
      world().line.next(swallow);
      const cut = new AbortController();
      const outcome = failure(submit(asked, cut.signal));
      await eventually(() => Promise.resolve(world().line.arrived() > before));
      cut.abort();
      expect((await outcome).verdict).toBe('unknown');
      expect(await taken(asked.reference)).toBe(0);
    });

    it('before it began sends nothing, and is no definite no', async () => {
      const asked = request();
      const before = world().line.arrived();
      const outcome = await failure(submit(asked, AbortSignal.abort()));
      expect(['retry', 'unknown']).toContain(outcome.verdict);
      expect(world().line.arrived()).toBe(before);
    });

    it('where nobody listens may be sent again, but its look-up has learnt nothing', async () => {
      const { unreachable, subject } = world();
      if (enrolls) {
        const enrolling = unreachable.enroll(subject.enrollRequest('good'), patience());
        expect((await failure(enrolling)).verdict).toBe('retry');
      }
      expect((await failure(unreachable.submit(request(), patience()))).verdict).toBe('retry');
      expect((await failure(lookUp('any', unreachable))).verdict).toBe('unknown');
    });
  });
}
