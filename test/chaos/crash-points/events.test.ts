import { diesAnywhere } from '../../support/chaos/dies-anywhere.ts';

diesAnywhere({
  'repeats and reorders its events': { repeat_events: 1, reorder_events: true },
  'sends an event before its answer': { early_event: true },
  'tells of another currency in its events': { lie: 'wrong_currency', lie_in: ['events'] },
  'disburses what has failed': { lie: 'disbursed_after_failed', repeat_events: 1 },
});
