import type { PoolClient } from 'pg';
import { wakeAfter } from '../../queue/outbox.ts';
import type { Call } from '../../process/services.ts';
import { tellScreening } from './commands.gen.ts';

async function tell(
  client: PoolClient,
  { scope }: Call,
  beneficiary: string,
  told: { readonly type: string; readonly tail: object },
): Promise<void> {
  const [recorded] = await tellScreening(client, scope.tenantId, { beneficiary, ...told });
  if (recorded?.addsJob === true) wakeAfter(client);
}

/** Tells an endpoint that asks for it how many hits of a payee wait that nobody was asked about before. */
export const tellHits = (
  client: PoolClient,
  call: Call,
  beneficiary: string,
  hits: number,
): Promise<void> =>
  tell(client, call, beneficiary, {
    type: 'beneficiary.screening_hit',
    tail: { new_hits: hits },
  });

/**
 * Tells an endpoint that asks for it that no hit of a payee is open or confirmed any more.
 *
 * @param because a person decided on the last one, or no list has it
 */
export const tellCleared = (
  client: PoolClient,
  call: Call,
  beneficiary: string,
  because: 'decided' | 'gone',
): Promise<void> =>
  tell(client, call, beneficiary, {
    type: 'beneficiary.screening_cleared',
    tail: { because },
  });
