import { z } from 'zod';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import type { SignedInCall } from './caller.ts';

const input = z.strictObject({ firstName: text(100), lastName: text(100) });
export type NameInput = z.input<typeof input>;

const setName = namedOfPlatform(
  'set_name_of_user',
  ['user', 'first', 'last'],
  `
    UPDATE app_user u SET first_name = @first, last_name = @last WHERE u.id = @user
    RETURNING u.id`,
);

/**
 * Sets the name of the person who is signed in, which colleagues see beside what they do. Throws validation_failed, and
 * forbidden for an operator, whose name whoever runs the installation gives.
 */
export async function setOwnName({ services, person }: SignedInCall, given: NameInput) {
  const { firstName: first, lastName: last } = parseInput(input, given);
  if (person.kind === 'operator') {
    throw new DomainError('forbidden', {
      message: 'The name of an operator is given with their access, by npm run operator-user.',
    });
  }
  const found = await firstRow(
    services.pool,
    setName,
    setName.of({ user: person.userId, first, last }),
  );
  if (found === null) throw new Error('a person with a session exists');
}
