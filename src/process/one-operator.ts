import type { Config } from './config.ts';
import type { Log } from './log.ts';

/** Says at the start of a process that production does without a second operator. */
export function warnOfOneOperator(
  { NODE_ENV, OPERATOR_CONFIRMATION }: Pick<Config, 'NODE_ENV' | 'OPERATOR_CONFIRMATION'>,
  log: Pick<Log, 'warn'>,
): void {
  if (NODE_ENV !== 'production' || OPERATOR_CONFIRMATION === 'second_person') return;
  log.warn(
    'OPERATOR_CONFIRMATION is none: one operator alone decides where money and secrets go, without a second person',
  );
}
