import { z } from 'zod';
import { resolvedTargetProblem, targetProblemMessages } from './target.ts';
import { invalid } from '../../../errors/domain-error.ts';
import { text } from '../../../values/fields.ts';
import type { Services } from '../../../process/services.ts';
import { eventTypes } from '../../event/types.ts';

/** `requireTarget` decides where it may point. */
const url = text(2_048);

/** Repeated types mean no more than one of them. */
const enabledEvents = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(100)
  .transform((types) => [...new Set(types)]);

/** Input of the command that registers or replaces the subscription. */
export const subscriptionInput = z.strictObject({ url, enabledEvents });

/** Input of the update command: what is absent stays, and nothing can be cleared. */
export const subscriptionChange = z.strictObject({
  url: url.optional(),
  enabledEvents: enabledEvents.optional(),
  enabled: z.boolean().optional(),
});

/**
 * Throws `validation_failed` for the field `url` unless webhooks may be sent there. The name is
 * resolved, so this waits for DNS, for three seconds at most.
 */
export async function requireTarget({ config }: Services, target: string): Promise<void> {
  const code = await resolvedTargetProblem(target, { allowedHosts: config.WEBHOOK_ALLOWED_HOSTS });
  if (code === null) return;
  throw invalid([{ field: 'url', code, message: targetProblemMessages[code] }]);
}
