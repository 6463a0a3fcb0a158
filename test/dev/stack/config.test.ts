import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { certificateFolder } from '../../../dev/demo/config.ts';
import { readDevConfig } from '../../../dev/stack/config.ts';

test('the services trust the authority of the demo, where the demo keeps it', () => {
  const { environment } = readDevConfig({ DATA_DIR: join('a', 'folder') });
  const file = environment['WEBHOOK_EXTRA_CA_FILE'] ?? '';
  expect(dirname(file)).toBe(certificateFolder(join('a', 'folder')));
});
