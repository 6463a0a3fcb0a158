import { z } from 'zod';
import { schemaEnum } from './schema-enum.ts';

const demand = z
  .object({
    policy_version: z.int().meta({ description: 'The version of the policy that demands it.' }),
    rule: z.int().nullable().meta({
      description:
        'The number of the rule; 0 for distinct_approver, null for the one approver who is needed where no rule holds.',
    }),
    step: z.int().meta({ description: 'From 1. The steps are in order.' }),
    approvals: z.int().meta({ description: 'How many people have to approve.' }),
    counted: z.int().meta({ description: 'How many approvals count at this moment.' }),
    missing: z.int().meta({ description: 'How many are missing.' }),
    groups: z
      .array(z.string())
      .meta({ description: 'Whose members may: roles, and ids of groups.' }),
    distinct_from: z
      .array(schemaEnum('ApprovalDistinct'))
      .meta({ description: 'Whose approval does not count.' }),
    is_open: z.boolean().meta({ description: 'Whether it waits for approvals now.' }),
    obstacle: schemaEnum('ApprovalDemandObstacle')
      .nullable()
      .meta({ description: 'Why your approval would not count for it; null where it would.' }),
    expires_at: z.iso.datetime().nullable().meta({
      description:
        'When the payout goes back to its first step unless the step is fulfilled before; null where it does not.',
    }),
    nobody_can_approve: z
      .boolean()
      .meta({ description: 'Whether too few are left who could give what is missing.' }),
  })
  .meta({ id: 'ApprovalDemand' });

/** What the approval policy demands of a payout that waits. */
export const approval = z
  .object({
    permitted: z.boolean().meta({ description: 'Whether your approval would count.' }),
    obstacles: z
      .array(schemaEnum('PayoutApprovalObstacle'))
      .meta({ description: 'What keeps you from it. Each is enough.' }),
    demands: z.array(demand).meta({ description: 'In the order of the steps.' }),
  })
  .meta({ id: 'PayoutApproval' });

/** What a document selects for it. */
export const approvalSelection = `openApproval {
  permitted obstacles
  demands {
    policy_version: policyVersion rule step approvals counted missing groups distinct_from: distinctFrom is_open: isOpen
    obstacle expires_at: expiresAt nobody_can_approve: nobodyCanApprove
  }
}`;
