import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { certificateFolder } from '../../../dev/demo/config.ts';
import { readDevConfig } from '../../../dev/stack/config.ts';
import { ConfigError } from '../../../src/process/settings/setting.ts';

test('the services trust the authority of the demo, where the demo keeps it', () => {
  const { environment } = readDevConfig({ DATA_DIR: join('a', 'folder') });
  const file = environment['WEBHOOK_EXTRA_CA_FILE'] ?? '';
  expect(dirname(file)).toBe(certificateFolder(join('a', 'folder')));
});

test.each([
  ['PORT', 'three', 'must be a number'],
  ['PORT', '3000.5', 'must be a whole number'],
  ['METRICS_PORT', '70000', 'must be 65535 or less'],
  ['WORKER_CONCURRENCY', '0', 'must be 1 or more'],
])('%s=%s is told in words, without the value', (name, given, words) => {
  expect(() => readDevConfig({ [name]: given })).toThrow(
    new ConfigError(`Settings:\n  ${name}: ${words}`),
  );
});
