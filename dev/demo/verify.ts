import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import type { DemoConfig } from './config.ts';

/** The verifier's result, or why there is none. */
export type Verdict =
  | { readonly kind: 'holds' | 'violated'; readonly report: string }
  | { readonly kind: 'unknown'; readonly reason: string };

const entry = join(import.meta.dirname, '../../tools/verify/main.ts');

/** Exit status of a verifier that found a violation. 0 means none; others mean that it could not tell. */
const violated = 1;

/**
 * Runs `npm run verify-ledger` for one business: its rows in the database, the provider's ledger and
 * the receiver's log. These are readable on this machine only, so for a service elsewhere the verdict
 * is `unknown`.
 */
export async function verifyBusiness(
  config: DemoConfig,
  businessId: string,
  receiverLog: string,
  signal: AbortSignal,
): Promise<Verdict> {
  const child = spawn(
    process.execPath,
    [entry, '--business', businessId, '--receiver-log', receiverLog],
    { env: config.serviceEnvironment, stdio: ['ignore', 'pipe', 'pipe'], signal },
  );
  const [[status], report, reason] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  if (status === 0) return { kind: 'holds', report: report.trimEnd() };
  if (status === violated) return { kind: 'violated', report: report.trimEnd() };
  return { kind: 'unknown', reason: reason.trim().split('\n')[0] ?? '' };
}
