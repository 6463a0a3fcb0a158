import type { StatusReport } from '../../providers/bank/report.ts';

/**
 * What a status report says, in its codes: the status and the reasons. Words that a bank writes freely are left out,
 * since they may name a payee.
 */
export function saidIn({ status, reasons }: StatusReport): string {
  const codes = reasons.flatMap(({ code, proprietary }) => code ?? proprietary ?? []);
  return [status ?? '', ...codes].filter((word) => /^[\w-]{1,35}$/.test(word)).join(' ');
}
