import { expect, test } from 'vitest';
import { createStepper } from '../../../dev/demo/stepper.ts';

test('a step that goes on says what it waits for', async () => {
  const lines: string[] = [];
  const seen = Promise.withResolvers<void>();
  const { step, results } = createStepper((line) => {
    lines.push(line);
    if (line.includes('2 of 4')) seen.resolve();
  }, 1);
  await step('wait for files', async (tell) => {
    tell('2 of 4 have left');
    await seen.promise;
    return 'done';
  });
  expect(lines[0]).toMatch(/^ {2}\.\.\. {3}wait for files +\d+ s {2}2 of 4 have left$/);
  expect(lines.at(-1)).toMatch(/^ {2}ok {4}wait for files +\d+ ms {2}done$/);
  expect(results).toMatchObject([{ title: 'wait for files' }]);
});

test('a step that is quick says that it is done, and one that fails that it failed', async () => {
  const lines: string[] = [];
  const { step } = createStepper((line) => lines.push(line));
  await step('quick', () => Promise.resolve(''));
  await expect(step('broken', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(lines).toEqual([expect.stringMatching(/^ {2}ok {4}quick +\d+ ms$/), '  FAIL  broken']);
});
