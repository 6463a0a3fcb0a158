import { operatorId } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import type { OperatorCall } from '../../process/services.ts';
import { isOperatorKind, type OperatorChangeKind } from '../proposed-change/names.ts';
import { readList, type OfTenant, type OperatorPage } from './list.ts';

/** A change of an operator that waits for a second one. */
export interface WaitingChange extends OfTenant {
  readonly changeId: string;
  readonly kind: OperatorChangeKind;
  readonly subjectId: string;
  /** What is there and what it becomes: {before, after}. */
  readonly shown: unknown;
  readonly digest: string;
  readonly reason: string;
  readonly proposedAt: Date;
  readonly proposedBy: string;
  /** The name of who proposed it, in small letters. */
  readonly proposedByPerson: string;
  /** Whether the person who asks has proposed it, by whichever of their credentials. */
  readonly proposedByYou: boolean;
  readonly expiresAt: Date;
}

const waiting = namedOfPlatform(
  'operator_waiting_changes',
  ['who', 'business', 'after', 'take'],
  `
    SELECT c.id AS "changeId", t.business_id AS "businessId", b.company_name AS "companyName", t.environment,
      c.kind, c.subject_id AS "subjectId", c.shown, encode(c.digest, 'hex') AS digest, c.reason,
      c.proposed_at AS "proposedAt", c.proposed_by AS "proposedBy",
      ops.person_of(c.proposed_by) AS "proposedByPerson", ops.person_of(c.proposed_by) = ops.person_of(@who) AS "proposedByYou",
      c.expires_at AS "expiresAt"
    FROM across.proposed_change c
    JOIN tenant t ON t.id = c.tenant_id
    JOIN business b ON b.id = t.business_id
    WHERE c.status = 'waiting' AND ${isOperatorKind('c.kind')} AND c.expires_at > now()
      AND (@business::text IS NULL OR c.tenant_id IN (SELECT y.id FROM tenant y WHERE y.business_id = @business))
      AND (@after::text IS NULL OR c.id > @after)
    ORDER BY c.id LIMIT @take`,
);

/** The changes that wait for a second operator, oldest first. */
export function listWaitingChanges(
  call: OperatorCall,
  { businessId: business, after, take }: OperatorPage,
): Promise<WaitingChange[]> {
  const who = operatorId(call.operator.operator);
  return readList(call, waiting, { who, business, after, take });
}
