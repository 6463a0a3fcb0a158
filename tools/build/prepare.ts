import { createRequire } from 'node:module';
import { isBuilt } from './stamp.ts';

/** A folder of generated/ that npm's `prepare` makes. */
interface Part {
  /** Its name in what is printed, such as `the bundle`. */
  readonly name: string;
  readonly root: string;
  readonly folder: string;
  /** A package of development that makes it: an installation with `--omit=dev` has none. */
  readonly builder: string;
  /** @see isBuilt */
  readonly sources?: readonly string[];
  /** Resolves with whether there was anything to do. */
  readonly build: () => Promise<boolean>;
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Builds what is not of the present sources, and says what it did. */
export async function report(name: string, build: () => Promise<boolean>): Promise<void> {
  const started = performance.now();
  const built = await build();
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(built ? `Made ${name} in ${seconds} s.` : `There is ${name} of the present sources.`);
}

/** As `report`, for a part that only an installation with its builder can make. Fails where it has to and cannot. */
export async function prepare({
  name,
  root,
  folder,
  builder,
  sources,
  build,
}: Part): Promise<void> {
  if (isInstalled(builder)) {
    await report(name, build);
  } else if (isBuilt(root, folder, sources)) {
    console.log(`${builder} is not installed (npm --omit=dev): ${name} stays as it is.`);
  } else {
    console.error(
      `${builder} is not installed (npm --omit=dev), and ${folder} is not of the present sources: ` +
        'run npm ci, and npm prune --omit=dev after it.',
    );
    process.exitCode = 1;
  }
}
