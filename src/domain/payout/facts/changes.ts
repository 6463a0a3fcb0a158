import type { Payout } from '../../../../generated/prisma/client.ts';
import { named } from '../../../db/named.ts';
import { rows } from '../../../db/pool.ts';
import type { Call } from '../../../process/services.ts';
import { inAskedOrder } from '../../children.ts';

/** What can happen to a payee and its accounts after a payout was created. */
export const laterChangeKinds = [
  'account_changed',
  'account_added',
  'account_rejected',
  'payee_renamed',
  'payee_acknowledged',
  'payee_reacknowledgment_required',
  'payee_suspended',
  'payee_reinstated',
  'payee_archived',
  'payee_invited',
  'payee_invite_canceled',
  'payee_invite_expired',
  'payee_details_submitted',
] as const;

/** Something that changed of the payee, or of its accounts, after a payout was created. */
export interface LaterChange {
  readonly kind: (typeof laterChangeKinds)[number];
  /** Null where only the present value is known to differ. */
  readonly at: Date | null;
  /** The account that it is about; null for the payee. */
  readonly bankAccountId: string | null;
  readonly actor: unknown;
  readonly reason: string | null;
}

export type ChangesOf = Pick<
  Payout,
  'id' | 'beneficiaryId' | 'beneficiaryName' | 'bankAccountId' | 'bankAccountVersion' | 'createdAt'
>;

/** A payee's accounts and history are few; what an answer has of them is bounded all the same. */
const most = 20;

const laterChanges = named(
  'later_changes_of_payouts',
  ['tenant', 'payees', 'names', 'accounts', 'versions', 'since'],
  `
    SELECT g.asked::integer AS asked, l.*
    FROM unnest(@payees::text[], @names::text[], @accounts::text[], @versions::integer[], @since::timestamptz[])
      WITH ORDINALITY AS g(payee, name, account, version, since, asked)
    CROSS JOIN LATERAL (
      SELECT c.* FROM (
        (SELECT 'account_changed' AS kind, v.created_at AS at, v.bank_account_id AS "bankAccountId",
          NULL::jsonb AS actor, NULL::text AS reason
        FROM bank_account_version v
        WHERE v.tenant_id = @tenant AND v.bank_account_id = g.account AND v.version > g.version
        ORDER BY v.version DESC LIMIT ${most})
        UNION ALL
        (SELECT 'account_added', a.created_at, a.id, NULL, NULL
        FROM bank_account a
        WHERE a.tenant_id = @tenant AND a.beneficiary_id = g.payee AND a.id > g.account AND a.created_at > g.since
        ORDER BY a.id DESC LIMIT ${most})
        UNION ALL
        SELECT 'account_rejected', NULL, a.id, NULL, a.rail_rejection_reason
        FROM bank_account a
        WHERE a.tenant_id = @tenant AND a.id = g.account AND a.rail_rejection_reason IS NOT NULL
        UNION ALL
        SELECT 'payee_renamed', NULL, NULL, NULL, NULL
        FROM beneficiary b
        WHERE b.tenant_id = @tenant AND b.id = g.payee AND b.erased_at IS NULL AND command.legal_name(b.beneficiary_type, b.business_name, b.first_name, b.last_name) <> g.name
        UNION ALL
        (SELECT 'payee_' || t.kind, t.occurred_at, NULL, t.actor, t.reason
        FROM beneficiary_transition t
        WHERE t.tenant_id = @tenant AND t.beneficiary_id = g.payee AND t.occurred_at > g.since AND t.kind <> 'updated'
        ORDER BY t.seq DESC LIMIT ${most})
      ) c
      ORDER BY c.at DESC NULLS FIRST LIMIT ${most}
    ) l
    ORDER BY g.asked, l.at DESC NULLS FIRST`,
);

/** What changed of the payees of some payouts, and of their accounts, since the payouts were created: newest first. */
export async function readLaterChanges(
  { scope, services }: Call,
  asked: readonly ChangesOf[],
): Promise<LaterChange[][]> {
  const found = await rows<LaterChange & { readonly asked: number }>(
    services.pool,
    laterChanges,
    laterChanges.of({
      tenant: scope.tenantId,
      payees: asked.map(({ beneficiaryId }) => beneficiaryId),
      names: asked.map(({ beneficiaryName }) => beneficiaryName),
      accounts: asked.map(({ bankAccountId }) => bankAccountId),
      versions: asked.map(({ bankAccountVersion }) => bankAccountVersion),
      since: asked.map(({ createdAt }) => createdAt),
    }),
  );
  return inAskedOrder(found, asked);
}
