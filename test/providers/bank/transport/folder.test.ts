import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderTransport } from '../../../../src/providers/bank/transport/folder.ts';
import { conforms, makeFolders } from './conformance.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bank-'));
  await makeFolders(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

conforms(() => ({ transport: folderTransport({ kind: 'folder', path: root }), root }));

it('takes no path with a link below the root, whichever part is one', async () => {
  const banks = await mkdtemp(join(tmpdir(), 'banks-'));
  try {
    await makeFolders(join(banks, 'first'));
    await symlink('first', join(banks, 'second'));
    await symlink(banks, join(root, 'banks'));
    const at = (below: string, path: string) =>
      folderTransport({ kind: 'folder', root: below, path: join(below, path) });
    const refusal = /ELOOP: a part of the path below BANK_FOLDERS is a link/;
    await expect(at(banks, 'second').list()).rejects.toThrow(refusal);
    await expect(at(banks, 'second').stage('a.tmp', Buffer.of(1))).rejects.toThrow(refusal);
    await expect(at(banks, 'first').list()).resolves.toEqual([]);
    // The root itself may be one.
    await expect(at(join(root, 'banks'), 'first').list()).resolves.toEqual([]);
  } finally {
    await rm(banks, { recursive: true, force: true });
  }
});
