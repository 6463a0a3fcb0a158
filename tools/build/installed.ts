import { createRequire } from 'node:module';

/** Whether a package is there: one of development is missing in an installation with `--omit=dev`. */
export function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
