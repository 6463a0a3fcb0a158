import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  cruise,
  type ICruiseOptions,
  type ICruiseResult,
  type IForbiddenRuleType,
} from 'dependency-cruiser';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const fixtures = join(import.meta.dirname, 'fixtures');
const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
  readonly forbidden: readonly (IForbiddenRuleType & { readonly name: string })[];
  readonly options: ICruiseOptions;
};
const ruleNames = config.forbidden.map((rule) => rule.name);
const fixtureNames = readdirSync(fixtures).toSorted();

/** The names of the rules that a tree of files breaks, with the arrow that breaks each. */
async function violations(baseDir: string): Promise<{ rule: string; arrow: string }[]> {
  const { exclude: _exclude, ...options } = config.options;
  const { output } = await cruise(['.'], {
    ...options,
    baseDir,
    outputType: 'json',
    validate: true,
    ruleSet: { forbidden: [...config.forbidden] },
  });
  const result = (typeof output === 'string' ? JSON.parse(output) : output) as ICruiseResult;
  return result.summary.violations.map((violation) => ({
    rule: violation.rule.name,
    arrow: `${violation.from} -> ${violation.to}`,
  }));
}

describe('architecture rules', () => {
  test('every rule has a fixture and every fixture has a rule', () => {
    expect(fixtureNames).toEqual([...ruleNames, 'allowed'].toSorted());
  });

  test.each(config.forbidden)('$name gives its reason and is an error', (rule) => {
    expect(rule.comment?.length ?? 0).toBeGreaterThan(40);
    expect(rule.severity).toBe('error');
  });

  test.each(ruleNames)('%s is broken by its fixture, and nothing else is', async (name) => {
    const found = await violations(join(fixtures, name));
    expect(found).not.toEqual([]);
    expect(found.filter((violation) => violation.rule !== name)).toEqual([]);
  });

  test('the arrows that the design draws break nothing', async () => {
    expect(await violations(join(fixtures, 'allowed'))).toEqual([]);
  });
});
