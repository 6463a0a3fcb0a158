import { request } from 'undici';
import type { Call, Services } from '../../process/services.ts';
import { ProviderError } from '../../providers/port.ts';
import { isId } from '../../values/ids.ts';
import { fine, lacking, type CheckLine } from './check-line.ts';
import { findLatestEvent } from './events.ts';
import { openProvider } from './open.ts';
import { findProviderConnections, noSuchConnection, type ProviderConnection } from './store.ts';

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
  call: Call,
  row: ProviderConnection,
): AsyncGenerator<CheckLine> {
  const { scope, services } = call;
  const { name, status, id } = row;
  const about = `${name} (${scope.environment}, ${row.adapter})`;
  yield status === 'active'
    ? fine(`${about} is active.`)
    : lacking(`${about} is ${status}: no payment leaves.`);
  const provider = openProvider(call, row);
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

/**
 * Proves a connection of the call's tenant and tells each thing that was looked at. The provider is asked, for at most
 * fifteen seconds, and so is the address of the service. Throws not_found.
 */
export async function checkProviderConnection(
  call: Call,
  connectionId: string,
): Promise<CheckLine[]> {
  const [row] = isId('bankConnection', connectionId)
    ? await findProviderConnections(call.services.pool, call.scope, [connectionId])
    : [];
  if (row === undefined) throw noSuchConnection();
  return Array.fromAsync(checkProvider(call, row));
}
