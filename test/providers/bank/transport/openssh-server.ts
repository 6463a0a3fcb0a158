import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import ssh2 from 'ssh2';
import { newKeyPair } from '../../../../simulator/bank/key-pair.ts';
import { fingerprintOf } from '../../../../src/providers/bank/transport/sftp-session.ts';
import { programFolders } from '../../../support/config.ts';
import { freePort } from '../../../support/free-port.ts';
import { conditionMs } from '../../../support/patience.ts';

/** Most distributions keep it out of the path of users. sshd runs itself again, so its path must be absolute. */
const places = [...programFolders, '/usr/sbin', '/usr/local/sbin'];
const sshd = places
  .filter((folder) => folder.startsWith('/'))
  .map((folder) => join(folder, 'sshd'))
  .find(existsSync);

/** sshd that root runs gives up its rights in this directory, which only systemd makes at each start. */
const separation = '/run/sshd';

function missing(): string | null {
  if (sshd === undefined) return 'skipped: there is no sshd; install openssh-server';
  if (userInfo().uid !== 0) return null;
  if (!existsSync(separation)) return `skipped: sshd needs the directory ${separation} as root`;
  return null;
}

/** Why OpenSSH's own server cannot run here, or null. */
export const opensshMissing: string | null = missing();

export interface OpensshServer {
  readonly port: number;
  readonly fingerprint: string;
  readonly username: string;
  /** In OpenSSH's form. The server lets nothing else in. */
  readonly privateKey: string;
  close(): Promise<void>;
}

/** OpenSSH's SFTP server on loopback, as the user who runs the tests; paths begin in `root`. */
export async function startOpenssh(folder: string, root: string): Promise<OpensshServer> {
  if (sshd === undefined) throw new Error('there is no sshd');
  const { username } = userInfo();
  const host = newKeyPair();
  const login = newKeyPair();
  await mkdir(folder, { recursive: true });
  const place = (name: string): string => join(folder, name);
  await writeFile(place('host_key'), host.private, { mode: 0o600 });
  await writeFile(place('authorized_keys'), `${login.public}\n`, { mode: 0o600 });
  const port = await freePort();
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${place('host_key')}`,
    `PidFile ${place('pid')}`,
    `AuthorizedKeysFile ${place('authorized_keys')}`,
    // A directory below /tmp is no home, and everybody may write into /tmp.
    'StrictModes no',
    'UsePAM no',
    'UseDNS no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    `AllowUsers ${username}`,
    // No login shell takes part: what it prints would be read as an answer.
    'Subsystem sftp internal-sftp',
    `ForceCommand internal-sftp -d ${root}`,
  ];
  await writeFile(place('sshd_config'), `${settings.join('\n')}\n`);
  execFileSync(sshd, ['-t', '-f', place('sshd_config')], { timeout: conditionMs });
  const child = spawn(sshd, ['-D', '-e', '-f', place('sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (part: Buffer) => void (told += part.toString()));
  await listening(child, port, () => told);
  const parsed = ssh2.utils.parseKey(host.public);
  if (parsed instanceof Error) throw parsed;
  return {
    port,
    fingerprint: fingerprintOf(parsed.getPublicSSH()),
    username,
    privateKey: login.private,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

/** Waits until the server takes connections; throws what it says where it ends before. */
async function listening(child: ChildProcess, port: number, told: () => string): Promise<void> {
  const until = Date.now() + conditionMs;
  while (Date.now() < until && child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
    await pause(20);
  }
  child.kill('SIGKILL');
  throw new Error(`sshd does not listen: ${told()}`);
}
