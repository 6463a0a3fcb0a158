/**
 * The moments at which the tests of crashes kill a process: before and after each commit and around
 * each call to the outside (invariants I5, S3, M2). Outside of those tests each is one comparison.
 */
export const crashPoints = [
  'create_before_commit',
  'create_after_commit',
  'decide_before_commit',
  'decide_after_commit',
  'disburse_prepared',
  'disburse_answered',
  'disburse_recorded',
  'receive_before_commit',
  'receive_after_commit',
  'apply_before_commit',
  'apply_after_commit',
  'webhook_taken',
  'webhook_loaded',
  'webhook_sent',
  'webhook_recorded',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** Where a process ends, and at which passage (1 is the first). */
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

/** Makes this process kill itself at a point; null disarms it. For tests: the settings refuse it in production. */
export function armCrashPoint(plan: CrashPlan | null): void {
  armed = plan;
  passages = 0;
}

/** Ends the process as `kill -9` would, if it is armed with this point and has come here often enough. */
export function crashPoint(point: CrashPoint): void {
  if (armed === null || armed.point !== point) return;
  passages += 1;
  if (passages === armed.passage) process.kill(process.pid, 'SIGKILL');
}
