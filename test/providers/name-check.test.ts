import { afterEach, expect, it } from 'vitest';
import { createGateway } from '../../src/providers/gateway/adapter.ts';
import { guardProvider } from '../../src/providers/guard.ts';
import { nameCheckResultOf } from '../../src/providers/name-check.ts';
import type { PaidAccount } from '../../src/providers/port.ts';
import { patience } from '../support/patience.ts';
import { apiKey, enrollRequest, startWorld, webhookSecret, type World } from './support.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function connect() {
  const world: World = await startWorld({ stepDelayMs: 1 });
  closers.push(() => world.close());
  const gateway = createGateway({
    name: 'simulator',
    baseUrl: world.simulator.url,
    apiKey,
    webhookSecrets: [webhookSecret],
  });
  closers.unshift(() => gateway.close());
  const guarded = guardProvider(gateway, {
    timeoutMs: 5_000,
    breaker: { failures: 100, coolDownMs: 1 },
  });
  return async (given: Partial<PaidAccount['destination']>) => {
    const { payee, destination } = enrollRequest('4321');
    const account = { payee, destination: { ...destination, ...given } };
    const answer = await guarded.checkName?.(account, patience());
    return [answer?.code, answer?.nameOnFile];
  };
}

it('answers by the usual eight-digit accounts, also at the end of an IBAN', async () => {
  const ask = await connect();
  expect(await ask({ accountNumber: '11111111' })).toEqual(['ANNM', null]);
  expect(await ask({ accountNumber: '1111 1112' })).toEqual(['MBAM', 'Jordan Example']);
  const iban = 'GB29NWBK60161311111115';
  expect(await ask({ accountNumber: undefined, iban })).toEqual(['BAMM', 'Jordan Example']);
  const told = { accountNumber: '11111112', accountHolderName: 'jordan  example' };
  expect(await ask(told)).toEqual(['MTCH', null]);
});

it('answers by the end of a name', async () => {
  const ask = await connect();
  expect(await ask({})).toEqual(['MTCH', null]);
  expect(await ask({ accountHolderName: 'Ada Close Match' })).toEqual(['CMTC', 'Ada']);
  expect(await ask({ accountHolderName: 'Ada No Match' })).toEqual(['NMTC', null]);
  expect(await ask({ accountHolderName: 'Not possible' })).toEqual(['NOAP', null]);
});

it.each([
  ['MTCH', 'match'],
  ['CMTC', 'close_match'],
  ['BANM', 'close_match'],
  ['NMTC', 'no_match'],
  ['AC01', 'no_match'],
  ['RCVC', 'match'],
  ['RVMC', 'close_match'],
  ['RVNM', 'no_match'],
  ['RVNA', 'not_possible'],
  ['IVCR', 'not_possible'],
  ['CASS', 'not_possible'],
  ['SCNS', 'not_possible'],
  ['constructor', 'not_possible'],
  ['', 'not_possible'],
])('takes the code %j for %s', (code, result) => {
  expect(nameCheckResultOf(code)).toBe(result);
});
