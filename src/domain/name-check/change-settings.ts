import { z } from 'zod';
import { requireManager } from '../access/authority.ts';
import { recordChange } from '../access/change-store.ts';
import { lockGoverned } from '../access/governance.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction, platformStatement, rows } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import {
  findNameCheckPolicy,
  nameCheckEffects,
  type NameCheckPolicy,
  type NameCheckSettings,
} from './policy-store.ts';

const effect = z.enum(nameCheckEffects);
const settingsInput = z.strictObject({
  revision: z.int().min(0),
  asks: z.boolean(),
  closeMatch: effect,
  noMatch: effect,
  notPossible: effect,
});
export type NameCheckSettingsInput = z.input<typeof settingsInput>;

const change = named(
  'change_name_check_settings',
  ['tenant', 'revision', 'asks', 'closeMatch', 'noMatch', 'notPossible'],
  `
    UPDATE name_check_policy s SET asks = @asks, close_match = @closeMatch, no_match = @noMatch,
      not_possible = @notPossible, revision = s.revision + 1, updated_at = now()
    WHERE s.tenant_id = @tenant AND s.revision = @revision
    RETURNING s.tenant_id`,
);

const begin = named(
  'begin_name_check_settings',
  ['tenant', 'asks', 'closeMatch', 'noMatch', 'notPossible'],
  `
    INSERT INTO name_check_policy AS s (tenant_id, asks, close_match, no_match, not_possible)
    VALUES (@tenant, @asks, @closeMatch, @noMatch, @notPossible)
    ON CONFLICT (tenant_id) DO NOTHING
    RETURNING s.tenant_id`,
);

const record = platformStatement({
  name: 'record_name_check_settings',
  text: recordChange({
    from: '(SELECT 1) AS once',
    kind: 'settings_changed',
    business: '$1',
    environment: '$2',
    actor: '$3',
    subject: '$1',
    before: "jsonb_build_object('name_check', $4::jsonb)",
    after: "jsonb_build_object('name_check', $5::jsonb)",
  }),
});

const shownOf = ({ asks, closeMatch, noMatch, notPossible }: NameCheckSettings): string =>
  JSON.stringify({
    asks,
    close_match: closeMatch,
    no_match: noMatch,
    not_possible: notPossible,
  });

/**
 * Changes whether banks are asked for holders' names, and what each answer does. For those who manage the business.
 * Throws forbidden, validation_failed, and conflict where somebody was faster.
 */
export async function changeNameCheckSettings(
  call: Call,
  given: NameCheckSettingsInput,
): Promise<NameCheckPolicy> {
  const { scope, services } = call;
  requireManager(scope);
  const { revision, ...after } = parseInput(settingsInput, given);
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'its check of names');
    const before = await findNameCheckPolicy(client, scope);
    const tenant = scope.tenantId;
    const changed =
      revision === 0
        ? await firstRow(client, begin, begin.of({ tenant, ...after }))
        : await firstRow(client, change, change.of({ tenant, revision, ...after }));
    if (changed === null) {
      throw new DomainError('conflict', {
        message: 'Somebody else changed the settings; read them again.',
      });
    }
    const { businessId, environment, actor } = scope;
    await rows(client, record, [
      businessId,
      environment,
      JSON.stringify(actor),
      shownOf(before),
      shownOf(after),
    ]);
    return findNameCheckPolicy(client, scope);
  });
}
