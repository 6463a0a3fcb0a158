import { expect, test, vi } from 'vitest';
import { loadConfig, settings } from '../../src/process/config.ts';
import { warnOfOneOperator } from '../../src/process/one-operator.ts';

const { OPERATOR_CONFIRMATION: own, RESOLUTION_CONFIRMATION: ofResolutions } = settings;

test('an installation has two operators in production unless it is said that it has not', () => {
  expect(own.read?.({ NODE_ENV: 'production' })).toBe('second_person');
  expect(own.read?.({ NODE_ENV: 'production', OPERATOR_CONFIRMATION: 'none' })).toBe('none');
  expect(loadConfig({ NODE_ENV: 'test' }).OPERATOR_CONFIRMATION).toBe('none');
  const given = { NODE_ENV: 'test', OPERATOR_CONFIRMATION: 'second_person' };
  expect(loadConfig(given)).toMatchObject({
    OPERATOR_CONFIRMATION: 'second_person',
    RESOLUTION_CONFIRMATION: 'second_person',
  });
});

test('resolutions follow it, unless they have a value of their own', () => {
  expect(ofResolutions.read?.({ NODE_ENV: 'production' })).toBe('second_person');
  const env = { OPERATOR_CONFIRMATION: 'second_person', RESOLUTION_CONFIRMATION: 'none' };
  expect(ofResolutions.read?.(env)).toBe('none');
});

test.each([
  ['production', 'none', 'none', ['OPERATOR_CONFIRMATION', 'RESOLUTION_CONFIRMATION']],
  ['production', 'none', 'second_person', ['OPERATOR_CONFIRMATION']],
  ['production', 'second_person', 'none', ['RESOLUTION_CONFIRMATION']],
  ['production', 'second_person', 'second_person', []],
  ['test', 'none', 'none', []],
] as const)('in %s with %s and %s the log says %j', (env, operators, resolutions, told) => {
  const warn = vi.fn<(line: string) => void>();
  warnOfOneOperator(
    {
      NODE_ENV: env,
      OPERATOR_CONFIRMATION: operators,
      RESOLUTION_CONFIRMATION: resolutions,
    },
    { warn },
  );
  expect(warn.mock.calls.map(([line]) => line.split(' ')[0])).toEqual(told);
});
