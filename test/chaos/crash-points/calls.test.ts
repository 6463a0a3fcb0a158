import { diesAnywhere } from '../../support/chaos/dies-anywhere.ts';

diesAnywhere({
  'is slow': { slow_ms: 450 },
  refuses: { refuse: 2 },
  'is silent': { silent: 2 },
  'fails before it accepted': { error_before_accept: 2 },
});
