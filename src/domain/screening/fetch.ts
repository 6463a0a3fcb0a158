import type { Agent } from 'undici';
import type { Pool } from 'pg';
import { createGuardedAgent } from '../../net/guarded-agent.ts';
import type { Services } from '../../process/services.ts';
import type { Bytes, ListKind } from '../../screening/lists/entry.ts';
import { ListProblem } from '../../screening/lists/problem.ts';
import { loadList } from './load.ts';
import { beginLoad, refuseLoad } from './load-store.ts';

/** A list that is larger is none of ours: the largest of them has 130 MB. */
const mostBytes = 300 * 1024 * 1024;
const connectMs = 10_000;
/** Without a byte for so long, what came is not whole. */
const silenceMs = 30_000;

const loader = 'the schedule';

/** The answer's bytes; more than a list can have are no list. */
async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > mostBytes) throw new ListProblem('too_large', `More than ${mostBytes} bytes came.`);
    yield chunk;
  }
}

/** Opens what an address answers. A redirect is refused like every other answer: it leads to another address. */
async function open(agent: Agent, address: string): Promise<Bytes> {
  const url = new URL(address);
  const { statusCode, body } = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    headers: { 'user-agent': 'payouts', accept: 'application/xml, text/xml, text/csv, */*;q=0.1' },
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  if (statusCode === 200) return bounded(body);
  await body.dump();
  throw new ListProblem('not_fetched', `The address answered ${statusCode}.`);
}

/** A list that could not be fetched failed as one that could not be read: it is no newer than before. */
async function noteUnfetched(pool: Pool, kind: ListKind, error: unknown): Promise<void> {
  const id = await beginLoad(pool, kind, loader);
  const problem = error instanceof Error ? error.message : 'no answer';
  await refuseLoad(pool, { id, code: 'not_fetched', problem, sha256: null });
}

async function fetchOne(
  services: Services,
  agent: Agent,
  kind: ListKind,
  address: string,
): Promise<void> {
  const { pool, log } = services;
  let main: Bytes;
  try {
    main = await open(agent, address);
  } catch (error) {
    await noteUnfetched(pool, kind, error);
    log.error({ list: kind }, 'a list of sanctions was not fetched');
    return;
  }
  try {
    const loaded = await loadList(services, {
      kind,
      files: { main },
      givenDate: null,
      loadedBy: loader,
      acceptedBecause: null,
    });
    log.info({ list: kind, outcome: loaded.outcome }, 'a list of sanctions was fetched');
  } catch (error) {
    // It is on record why; a list that is refused is fetched again at the next time.
    log.error({ list: kind, code: error instanceof ListProblem ? error.code : 'fault' }, 'refused');
  }
}

/**
 * Fetches the lists whose addresses are in WATCHLIST_URLS, one after the other: from public hosts over verified TLS, without
 * following a redirect, and no more than a list can have. Each is then loaded as by hand: whole or not at all. What was in
 * use stays in use where one is not.
 */
export async function fetchWatchlists(services: Services): Promise<void> {
  const addresses = Object.entries(services.config.WATCHLIST_URLS);
  if (addresses.length === 0) return;
  const agent = createGuardedAgent({
    allowedHosts: services.config.WEBHOOK_ALLOWED_HOSTS,
    extraCaFile: () => services.config.WEBHOOK_EXTRA_CA_FILE,
    connectTimeoutMs: connectMs,
  });
  try {
    for (const [kind, address] of addresses) {
      // The setting has kinds alone.
      await fetchOne(services, agent, kind as ListKind, address);
    }
  } finally {
    await agent.destroy();
  }
}
