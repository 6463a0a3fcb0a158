import { isAbsolute, relative } from 'node:path';
import { z } from 'zod';
import { setting } from './setting.ts';

const folder = z.string().refine(isAbsolute, 'must be an absolute path');

/** Where files for banks are put, and the bank of the sandbox. */
export const bankSettings = {
  BANK_FOLDERS: setting({
    schema: folder,
    fallback: null,
    description:
      'Directory below which the folders of bank connections with the transport `folder` are, usually a mounted one. Absent: no connection can have that transport.',
  }),
  SANDBOX_BANK_FOLDER: setting({
    schema: folder,
    fallback: null,
    description:
      'Directory of the sandbox bank: each connection of a sandbox tenant has a folder of its own in it, named by its id, with `out/` and `in/`. It lies apart from `BANK_FOLDERS`. Absent, and no `SANDBOX_BANK_SFTP_URL`: sandbox tenants connect to no bank.',
  }),
  SANDBOX_BANK_SFTP_URL: setting({
    schema: z.url({ protocol: /^sftp$/ }),
    fallback: null,
    description:
      'The sandbox bank over SFTP instead, `sftp://<user>@<host>:<port>`, with the same folders in the login’s directory.',
  }),
  SANDBOX_BANK_SFTP_HOST_KEY: setting({
    schema: z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'must be a fingerprint SHA256:…'),
    fallback: null,
    description:
      "Fingerprint of that server's key, as `ssh-keygen -l` prints it. Required with `SANDBOX_BANK_SFTP_URL`.",
  }),
  SANDBOX_BANK_SFTP_PASSWORD: setting({
    schema: z.string().min(1),
    fallback: null,
    description: "Password of the login at the sandbox bank's SFTP server.",
  }),
} as const;

/** Whether one directory is the other or lies in it. */
const liesIn = (inner: string, outer: string): boolean => {
  const path = relative(outer, inner);
  return path !== '..' && !path.startsWith('../') && !isAbsolute(path);
};

/** What is wrong with the settings beside each other. No folder of the sandbox may be one of production. */
export function bankProblems(values: Record<string, unknown>): string[] {
  const { BANK_FOLDERS: own, SANDBOX_BANK_FOLDER: sandbox } = values;
  const { SANDBOX_BANK_SFTP_URL: address, SANDBOX_BANK_SFTP_HOST_KEY: hostKey } = values;
  const problems: string[] = [];
  if (typeof own === 'string' && typeof sandbox === 'string') {
    if (liesIn(own, sandbox) || liesIn(sandbox, own))
      problems.push('SANDBOX_BANK_FOLDER: must lie apart from BANK_FOLDERS');
  }
  if (address !== null && hostKey === null) {
    problems.push('SANDBOX_BANK_SFTP_HOST_KEY: required with SANDBOX_BANK_SFTP_URL');
  }
  return problems;
}
