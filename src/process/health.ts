import type { HealthPart } from '../db/ready.ts';
import type { Services } from './services.ts';

/** What a process needs beside its database, for `/readyz`. */
export function healthParts({ keys, clock, room }: Services): HealthPart[] {
  return [
    {
      problem: keys.problem,
      warning: () =>
        keys.unread()
          ? 'the encryption keys could not be read again; the ones before stay in use'
          : null,
    },
    { problem: room.problem },
    { warning: clock.problem },
  ];
}
