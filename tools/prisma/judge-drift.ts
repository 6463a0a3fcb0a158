import type { AllowedDrift } from './allowed-drift.ts';

/**
 * Splits Prisma's difference into statements and sorts out the allowed ones. `unused` are the
 * entries that matched nothing: they would hide a later mistake.
 */
export function judge(
  difference: string,
  allowed: readonly AllowedDrift[],
): { drift: string[]; unused: AllowedDrift[] } {
  const statements = difference
    // Prisma's warnings of lost data.
    .replaceAll(/\/\*[^]*?\*\//g, '')
    // A comment with the kind of change begins each statement.
    .split(/^(?=-- )/m)
    .map((block) => block.trim())
    .filter((block) => block.replaceAll(/^--.*$/gm, '').trim() !== '');
  const drift = statements.filter((sql) => !allowed.some(({ statement }) => statement.test(sql)));
  const unused = allowed.filter(({ statement }) => !statements.some((sql) => statement.test(sql)));
  return { drift, unused };
}
