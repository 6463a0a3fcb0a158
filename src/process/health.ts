import type { HealthPart } from '../db/ready.ts';
import { mailWarning } from './no-mail.ts';
import type { Services } from './services.ts';

type Watched = Pick<Services, 'keys' | 'clock' | 'room' | 'config'>;

/** What a process needs beside its database, for `/readyz`. */
export function healthParts({ keys, clock, room, config }: Watched): HealthPart[] {
  return [
    {
      problem: keys.problem,
      warning() {
        const fault = keys.unread();
        return fault === null
          ? null
          : `the encryption keys could not be read again; the ones before stay in use: ${fault}`;
      },
    },
    { problem: room.problem },
    { warning: clock.problem },
    { warning: () => mailWarning(config) },
  ];
}
