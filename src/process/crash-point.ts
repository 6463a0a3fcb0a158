/**
 * Where the crash tests kill a process: before and after each commit, and around each call to the
 * outside. They show that no crash pays twice or loses a payout. Outside these tests a crash point
 * costs one comparison.
 */
export const crashPoints = [
  'create_before_commit',
  'create_after_commit',
  'decide_before_commit',
  'decide_after_commit',
  'payout_batch_chunk',
  'payout_batch_made',
  'payout_batch_canceling',
  'relay_moved',
  'disburse_prepared',
  'disburse_answered',
  'disburse_recorded',
  'receive_before_commit',
  'receive_after_commit',
  'apply_before_commit',
  'apply_after_commit',
  'bank_file_arriving',
  'bank_file_stored',
  'bank_file_archived',
  'bank_file_staged',
  'bank_file_read',
  'bank_file_page',
  'bank_file_applied',
  'batch_before_commit',
  'batch_after_commit',
  'batch_staged',
  'batch_marked',
  'batch_published',
  'batch_recorded',
  'webhook_taken',
  'webhook_loaded',
  'webhook_sent',
  'webhook_recorded',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** Where a process kills itself, and at which passage of that point (1 is the first). */
export interface CrashPlan {
  readonly point: CrashPoint;
  readonly passage: number;
}

/** Reads `<point>` or `<point>:<passage>`; null when it is neither. */
export function parseCrashPlan(text: string): CrashPlan | null {
  const [name, passage = '1', ...more] = text.split(':');
  const point = crashPoints.find((known) => known === name);
  if (point === undefined || more.length > 0 || !/^[1-9][0-9]{0,8}$/.test(passage)) return null;
  return { point, passage: Number(passage) };
}

let armed: CrashPlan | null = null;
let passages = 0;

/** Makes this process kill itself at a point; null disarms it. Only tests do this: production refuses the setting. */
export function armCrashPoint(plan: CrashPlan | null): void {
  armed = plan;
  passages = 0;
}

/** Kills the process, as `kill -9` would, at the planned passage of the planned point. */
export function crashPoint(point: CrashPoint): void {
  if (armed === null || armed.point !== point) return;
  passages += 1;
  if (passages === armed.passage) process.kill(process.pid, 'SIGKILL');
}
