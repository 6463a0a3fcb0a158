import { z } from 'zod';
import { applyProviderEvent as apply } from '../src/domain/provider-event/apply.ts';
import { task } from './task.ts';

/** Applies a stored event of a provider to the payout or enrollment that it concerns. */
export const applyProviderEvent = task(
  'apply_provider_event',
  z.object({ provider: z.string(), eventId: z.string() }),
  ({ provider, eventId }, services) => apply(services, provider, eventId),
);
