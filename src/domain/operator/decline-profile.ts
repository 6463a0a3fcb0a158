import { Prisma, type Business } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { businessNotFound, recordAction } from './action.ts';
import { profileDecline, type ProfileDecline } from './input.ts';

const businessColumns = columns(Prisma.BusinessScalarFieldEnum, 'b');

const decline = namedOfPlatform(
  'decline_business_profile',
  ['business', 'submitted', 'explanation'],
  `
    UPDATE business b SET profile_status = 'incomplete', profile_submitted_at = NULL, profile_declined_at = now(),
      profile_decline_reason = @explanation, updated_at = now()
    WHERE b.id = @business AND b.profile_status = 'submitted'
      AND (@submitted::timestamptz IS NULL OR b.profile_submitted_at = @submitted)
    RETURNING ${businessColumns}`,
);

const status = namedOfPlatform(
  'status_of_business_profile',
  ['business'],
  `SELECT b.profile_status AS status FROM business b WHERE b.id = @business`,
);

/**
 * Does not accept a submitted business profile. It is incomplete again; the business reads the explanation, and whatever
 * it saves next is submitted once it is complete. Throws validation_failed, not_found, and conflict for a profile that is
 * not submitted, or was submitted at another time than the one that the operator looked at.
 */
export async function declineProfile(call: OperatorCall, given: ProfileDecline): Promise<Business> {
  const input = parseInput(profileDecline, given);
  const { businessId: business, submittedAt: submitted = null, explanation, reason } = input;
  if (!isId('business', business)) throw businessNotFound();
  return inTransaction(call.services.pool, async (client) => {
    const values = decline.of({ business, submitted, explanation });
    const declined = await firstRow<Business>(client, decline, values);
    if (declined === null) {
      const found = await firstRow<{ status: string }>(client, status, status.of({ business }));
      if (found === null) throw businessNotFound();
      throw new DomainError('conflict', {
        message:
          found.status === 'submitted'
            ? 'The business has submitted another profile since. Look at that one first.'
            : `The business profile is ${found.status}; only a submitted one can be declined.`,
      });
    }
    await recordAction(client, call.operator, {
      action: 'operatorProfileDecline',
      businessId: business,
      environment: null,
      subjectId: business,
      reason,
      detail: { explanation },
    });
    return declined;
  });
}
