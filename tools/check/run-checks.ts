import { spawn } from 'node:child_process';

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
}

interface Report {
  /** Called once for each check when it has ended, with all of its output. */
  (result: CheckResult, output: string): void;
}

/**
 * Runs every npm script whose name begins with `check:`, in the order of package.json, and goes on
 * when one fails, so that one run reports every problem.
 * @param cwd the folder of that package.json
 */
export async function runChecks(
  cwd: string,
  scripts: Readonly<Record<string, string>>,
  report: Report,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const name of Object.keys(scripts).filter((script) => script.startsWith('check:'))) {
    const started = performance.now();
    // One at a time: each check uses every core, and its time should be its own.
    const { passed, output } = await runScript(cwd, name);
    const result = { name, passed, seconds: (performance.now() - started) / 1000 };
    report(result, output);
    results.push(result);
  }
  return results;
}

/** Runs one script through npm, which puts node_modules/.bin first on the PATH. */
function runScript(cwd: string, name: string): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', name], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      // On Windows npm is a .cmd file, which only a shell starts.
      shell: process.platform === 'win32',
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => resolve({ passed: false, output: String(error) }));
    child.on('close', (code) =>
      resolve({ passed: code === 0, output: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}
