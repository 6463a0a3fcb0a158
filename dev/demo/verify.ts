import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import type { DemoConfig } from './config.ts';

/** What the verifier said, or why it could not say anything. */
export type Verdict =
  | { readonly kind: 'holds' | 'violated'; readonly report: string }
  | { readonly kind: 'unknown'; readonly reason: string };

const entry = join(import.meta.dirname, '../../tools/verify/main.ts');

/** The status of the verifier that found a violation; 0 stands for none, others for "cannot tell". */
const violated = 1;

/**
 * Runs `npm run verify-ledger` for what one business did: its rows in the database, the provider's
 * ledger and the receiver's log. Only the installation on this machine can be looked into, so
 * elsewhere the verdict is `unknown`.
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
