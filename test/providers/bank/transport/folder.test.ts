import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { folderTransport } from '../../../../src/providers/bank/transport/folder.ts';
import { conforms, makeFolders } from './conformance.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bank-'));
  await makeFolders(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

conforms(() => ({ transport: folderTransport({ kind: 'folder', path: root }), root }));
