import { diesAnywhere } from '../../support/chaos/dies-anywhere.ts';

diesAnywhere({
  'cuts the connection after it accepted': { drop_after_accept: 2 },
  'fails after it accepted': { error_after_accept: 2 },
  'answers with another amount': { lie: 'wrong_amount', lie_in: ['submissions'] },
  'finds a second payment and fails after it accepted': {
    lie: 'second_payment',
    lie_in: ['lookups'],
    error_after_accept: 2,
  },
});
