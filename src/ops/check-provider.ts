import { request } from 'undici';
import type { Scope } from '../access/scope.ts';
import { findLatestEvent } from '../domain/provider-connection/events.ts';
import { openProvider } from '../domain/provider-connection/open.ts';
import type { ProviderConnection } from '../domain/provider-connection/store.ts';
import type { Services } from '../process/services.ts';
import { ProviderError } from '../providers/port.ts';
import { fine, lacking, type CheckLine } from './check-line.ts';

/** Nobody waits longer for a proof. */
const patienceMs = 15_000;

/** Whether the address to which the provider posts leads here: an event without a signature is refused there. */
async function checkAddress({ config }: Services, path: string): Promise<CheckLine> {
  const url = new URL(path, config.PUBLIC_URL).href;
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const answer = await request(url, { method: 'POST', body: '{}', signal });
    await answer.body.dump();
    return answer.statusCode === 401
      ? fine(`${url} is reached, and refuses what has no signature.`)
      : lacking(`${url} answers ${answer.statusCode} to what has no signature, and not 401.`);
  } catch {
    return lacking(`${url}, which PUBLIC_URL says, is not reached from here.`);
  }
}

/** Proves a connection to a provider that is called, line by line. Nothing is paid. */
export async function* checkProvider(
  services: Services,
  scope: Scope,
  row: ProviderConnection,
): AsyncGenerator<CheckLine> {
  const { name, status, id } = row;
  const about = `${name} (${scope.environment}, ${row.adapter})`;
  yield status === 'active'
    ? fine(`${about} is active.`)
    : lacking(`${about} is ${status}: no payment leaves.`);
  const provider = openProvider({ scope, services }, row);
  if (provider.prove === undefined) {
    yield lacking('Its adapter has nothing that proves its credentials.');
  } else {
    try {
      const proofs = await provider.prove(AbortSignal.timeout(patienceMs));
      for (const proof of proofs) yield fine(proof);
    } catch (error) {
      const why = error instanceof ProviderError ? error.message : String(error);
      yield lacking(`Its credentials do not open it, or lack a permission: ${why}`);
    }
  }
  yield await checkAddress(services, `/provider-webhooks/${id}`);
  const latest = await findLatestEvent(services.pool, provider.name);
  yield latest === null
    ? lacking('No event with its signature has come yet: pay one payout, and check again.')
    : fine(`An event with its signature came at ${latest.toISOString()}.`);
}
