import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few megabytes, which a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no byte free. */
  fill(): void;
  /** Gives back what `fill` took. */
  empty(): void;
  unmount(): void;
}

/** Mounts a small file system in memory; null where this process may not mount, so that a test is skipped by name. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  chmodSync(folder, 0o755);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      writeFileSync(ballast, '');
      for (const size of [1 << 20, 4_096, 1]) {
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount() {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A folder on the disk that belongs to the owner of another one, as PostgreSQL asks of a tablespace. */
export function folderLike(disk: SmallDisk, name: string, model: string): string {
  const folder = join(disk.folder, name);
  mkdirSync(folder, { mode: 0o700 });
  const { uid, gid } = statSync(model);
  chownSync(folder, uid, gid);
  return folder;
}
