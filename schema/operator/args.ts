import { builder } from '../builder.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { forwardArgs } from '../lists/page-args.ts';

/** The business that an operator's command is about. */
export const businessArg = () =>
  builder.args((t) => ({
    businessId: t.id({ required: true, description: 'The business.' }),
  }));

/** The tenant that an operator's command is about. */
export const tenantArgs = () =>
  builder.args((t) => ({
    businessId: t.id({ required: true, description: 'The business.' }),
    environment: t.field({
      type: EnvironmentEnum,
      required: true,
      description: 'Which tenant of the business.',
    }),
  }));

const recorded = 'Why, for the record; up to 1,000 characters.';

/** The reason that the record keeps. */
export const reasonArg = () =>
  builder.args((t) => ({ reason: t.string({ required: true, description: recorded }) }));

/** As `reasonArg`, for a command that is plain by itself. */
export const optionalReasonArg = () =>
  builder.args((t) => ({ reason: t.string({ description: recorded }) }));

/** The reason of a command that the business reads of too. */
export const toldReasonArg = () =>
  builder.args((t) => ({
    reason: t.string({
      required: true,
      description:
        "Why, for the record and the payout's history, which the business reads; up to 1,000 characters.",
    }),
  }));

/** How an operator knows what a command states. */
export const evidenceArg = () =>
  builder.args((t) => ({
    evidence: t.string({
      required: true,
      description: 'How it is known, for operators alone; up to 1,000 characters.',
    }),
  }));

/** The page of a list that can be of one business. */
export const listArgs = {
  ...builder.args((t) => ({
    businessId: t.id({ description: 'Only of this business; of every business where absent.' }),
  })),
  ...forwardArgs,
};
