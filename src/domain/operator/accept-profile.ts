import { Prisma, type Business } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, inTransaction, platformStatement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { businessNotFound, recordAction } from './action.ts';
import { profileAcceptance, type ProfileAcceptance } from './input.ts';

const businessColumns = columns(Prisma.BusinessScalarFieldEnum, 'b');

const accept = platformStatement({
  name: 'accept_business_profile',
  text: `
    UPDATE business b SET profile_status = 'accepted', updated_at = now()
    WHERE b.id = $1 AND b.profile_status = 'submitted' AND b.registration_proven_at IS NOT NULL
      AND ($2::timestamptz IS NULL OR b.profile_submitted_at = $2)
    RETURNING ${businessColumns}`,
});

const businessById = platformStatement({
  name: 'business_of_operator_command',
  text: `SELECT ${businessColumns} FROM business b WHERE b.id = $1`,
});

/**
 * Accepts a submitted business profile, after which production keys may be issued. An accepted profile
 * stays as it is, and nothing is recorded. Throws validation_failed, not_found, conflict for an incomplete
 * profile, for a business whose registration is not proven, and for one that was submitted at another time than the one that the operator looked at.
 */
export async function acceptProfile(
  call: OperatorCall,
  given: ProfileAcceptance,
): Promise<Business> {
  const { businessId, submittedAt, reason } = parseInput(profileAcceptance, given);
  if (!isId('business', businessId)) throw businessNotFound();
  return inTransaction(call.services.pool, async (client) => {
    const accepted = await firstRow<Business>(client, accept, [businessId, submittedAt ?? null]);
    if (accepted !== null) {
      await recordAction(client, call.operator, {
        action: 'operatorProfileAccept',
        businessId,
        environment: null,
        subjectId: businessId,
        reason,
      });
      return accepted;
    }
    const business = await firstRow<Business>(client, businessById, [businessId]);
    if (business === null) throw businessNotFound();
    if (business.profileStatus === 'accepted') return business;
    if (business.registrationProvenAt === null) {
      throw new DomainError('conflict', {
        message:
          'Nobody has proven the address with which this business was registered. Its registrant opens the link of the mail, or signs in.',
      });
    }
    if (business.profileStatus === 'submitted') {
      throw new DomainError('conflict', {
        message: 'The business has submitted another profile since. Look at that one first.',
      });
    }
    throw new DomainError('conflict', {
      message: `The business profile is ${business.profileStatus}; only a submitted one can be accepted.`,
    });
  });
}
