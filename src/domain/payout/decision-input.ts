import { z } from 'zod';
import { invalid } from '../../errors/domain-error.ts';
import { dateTime, freeObject, reasonMessage, text, ulid } from '../../values/fields.ts';
import { decisionStatuses } from './decision-store.ts';

const reason = z.strictObject({
  code: text(64).nullish(),
  message: reasonMessage,
  details: freeObject.nullish(),
});

/** Input of the decide command. */
export const decisionInput = z.strictObject({
  // Crockford base32, in which a ULID is written, ignores case. One spelling is kept.
  decisionId: ulid.transform((id) => id.toUpperCase()),
  status: z.enum(decisionStatuses),
  evaluatedAt: dateTime.nullish().transform((value) => value ?? null),
  reasons: z
    .array(reason)
    .max(20)
    .nullish()
    .transform((value) => value ?? []),
  evaluatedBy: freeObject.nullish().transform((value) => value ?? null),
  policyVersion: text()
    .nullish()
    .transform((value) => value ?? null),
  agentVersion: text()
    .nullish()
    .transform((value) => value ?? null),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .nullish()
    .transform((value) => value ?? null),
});
export type DecisionInput = z.input<typeof decisionInput>;
export type ParsedDecision = z.output<typeof decisionInput>;

/**
 * Throws `validation_failed` when the two free parts of a decision, its reasons and its evaluator, have
 * more than `most` bytes of JSON together. The error names the larger one. The limit keeps a page of
 * decisions small.
 */
export function requireModest({ reasons, evaluatedBy }: ParsedDecision, most: number): void {
  const ofReasons = Buffer.byteLength(JSON.stringify(reasons));
  const ofEvaluator = Buffer.byteLength(JSON.stringify(evaluatedBy));
  if (ofReasons + ofEvaluator <= most) return;
  const field = ofReasons > ofEvaluator ? 'reasons' : 'evaluatedBy';
  const message = `Reasons and evaluated_by have at most ${most} bytes together.`;
  throw invalid([{ field, code: 'too_long', message }]);
}
