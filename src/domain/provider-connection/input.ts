import { z } from 'zod';
import { text } from '../../values/fields.ts';

/**
 * What people give of an account at a provider, by the names of its fields; the adapter says which there are. An empty
 * value takes away what was given before.
 */
const settings = z
  .array(z.strictObject({ name: text(50), value: z.literal('').or(text(4_000)) }))
  .max(50)
  .refine((given) => new Set(given.map(({ name }) => name)).size === given.length, {
    params: { code: 'duplicate' },
    message: 'Names a setting twice.',
  })
  .transform((given) => Object.fromEntries(given.map(({ name, value }) => [name, value])));

/** A new connection. */
export const providerConnectionDraft = z.strictObject({
  name: text(100),
  adapter: text(50),
  settings,
});
export type ProviderConnectionDraft = z.output<typeof providerConnectionDraft>;
export type ProviderConnectionInput = z.input<typeof providerConnectionDraft>;

/** A change of one: what is absent stays. */
export const providerConnectionChange = z.strictObject({
  connectionId: text(),
  version: z.int().min(1),
  name: text(100).nullish(),
  status: z.enum(['active', 'paused', 'closed']).nullish(),
  settings: settings.nullish(),
});
export type ProviderConnectionChange = z.output<typeof providerConnectionChange>;
export type ProviderConnectionChangeInput = z.input<typeof providerConnectionChange>;

const ofOperator = { businessId: text(), reason: text(1_000) };

/** The same, ordered by an operator for a business's production. */
export const operatorDraft = providerConnectionDraft.extend(ofOperator);
export const operatorChange = providerConnectionChange.extend(ofOperator);
