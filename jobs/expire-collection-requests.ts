import { z } from 'zod';
import { expireRequests } from '../src/domain/collection/expire.ts';
import { task } from './task.ts';

/** Ends the collection requests whose time is over, of all tenants: every minute. */
export const expireCollectionRequests = task(
  'expire_collection_requests',
  z.object({}),
  async (_payload, services) => {
    await expireRequests(services);
  },
);
