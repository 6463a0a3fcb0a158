/**
 * What the migrations hold and schema.prisma cannot say, as the SQL that Prisma would write to undo
 * it. A line of the difference that one of these matches is no drift. Each entry says why, and an
 * entry that matches nothing any more fails the check too.
 */
export interface AllowedDrift {
  statement: RegExp;
  why: string;
}

export const allowedDrift: readonly AllowedDrift[] = [];
