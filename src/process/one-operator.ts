import type { Config } from './config.ts';
import type { Log } from './log.ts';

type Confirmations = Pick<Config, 'NODE_ENV' | 'OPERATOR_CONFIRMATION' | 'RESOLUTION_CONFIRMATION'>;

/** What one operator alone decides where a setting does without a second one. */
const alone = {
  OPERATOR_CONFIRMATION:
    'decides where money and secrets go, and brings the files of banks and matches their movements',
  RESOLUTION_CONFIRMATION: 'says what became of a payout',
} as const;

/** Says at the start of a process what production does without a second operator. */
export function warnOfOneOperator(config: Confirmations, log: Pick<Log, 'warn'>): void {
  if (config.NODE_ENV !== 'production') return;
  for (const name of ['OPERATOR_CONFIRMATION', 'RESOLUTION_CONFIRMATION'] as const) {
    if (config[name] === 'second_person') continue;
    log.warn(`${name} is none: one operator alone ${alone[name]}, without a second person`);
  }
}
