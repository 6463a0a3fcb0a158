import { z } from 'zod';
import { requireManager } from '../access/authority.ts';
import { recordChange } from '../access/change-store.ts';
import { lockGoverned } from '../access/governance.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction, platformStatement, rows } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { listKinds } from '../../screening/lists/entry.ts';
import { parseInput } from '../../values/validate.ts';
import { findPolicy, type ScreeningPolicy, type ScreeningSettings } from './policy-store.ts';

const settingsInput = z.strictObject({
  revision: z.int(),
  maxAgeDays: z.int().min(1).max(365),
  incompleteBlocks: z.boolean(),
  lists: z
    .array(z.enum(listKinds))
    .min(1)
    .nullish()
    .transform((kinds) => kinds ?? null),
});
export type ScreeningSettingsInput = z.input<typeof settingsInput>;

/** With other lists, or another answer to an incomplete result, no earlier result counts: all payees are screened anew. */
const change = named(
  'change_screening_settings',
  ['tenant', 'revision', 'age', 'blocks', 'kinds', 'anew'],
  `
    UPDATE screening_policy s SET max_age_days = @age, incomplete_blocks = @blocks, kinds = @kinds::text[],
      revision = s.revision + 1, updated_at = now(),
      screened = CASE WHEN @anew::boolean THEN '{}'::jsonb ELSE s.screened END,
      target = CASE WHEN @anew::boolean THEN NULL ELSE s.target END,
      after = CASE WHEN @anew::boolean THEN NULL ELSE s.after END
    WHERE s.tenant_id = @tenant AND s.revision = @revision
    RETURNING s.tenant_id`,
);

const record = platformStatement({
  name: 'record_screening_settings',
  text: recordChange({
    from: '(SELECT 1) AS once',
    kind: 'settings_changed',
    business: '$1',
    environment: '$2',
    actor: '$3',
    subject: '$1',
    before: "jsonb_build_object('screening', $4::jsonb)",
    after: "jsonb_build_object('screening', $5::jsonb)",
  }),
});

const shownOf = ({ maxAgeDays, incompleteBlocks, kinds }: ScreeningSettings): string =>
  JSON.stringify({
    max_age_days: maxAgeDays,
    incomplete_blocks: incompleteBlocks,
    lists: kinds,
  });

/**
 * Changes how the tenant is screened. For those who manage the business. Throws forbidden, validation_failed, and
 * conflict where somebody was faster or no list is loaded.
 */
export async function changeScreeningSettings(
  call: Call,
  given: ScreeningSettingsInput,
): Promise<ScreeningPolicy> {
  const { scope, services } = call;
  requireManager(scope);
  const { revision, maxAgeDays, incompleteBlocks, lists: kinds } = parseInput(settingsInput, given);
  const after = { maxAgeDays, incompleteBlocks, kinds };
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'its screening');
    const before = await findPolicy(client, scope);
    const anew =
      before?.incompleteBlocks !== incompleteBlocks ||
      JSON.stringify(before.kinds) !== JSON.stringify(kinds);
    const values = change.of({
      tenant: scope.tenantId,
      revision,
      age: maxAgeDays,
      blocks: incompleteBlocks,
      kinds,
      anew,
    });
    const changed = before !== null && (await firstRow(client, change, values)) !== null;
    if (!changed) {
      throw new DomainError('conflict', {
        message:
          before === null
            ? 'No list of sanctions is loaded, so nothing is screened.'
            : 'Somebody else changed the settings; read them again.',
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
    const policy = await findPolicy(client, scope);
    if (policy === null) throw new Error('a locked policy stays');
    return policy;
  });
}
