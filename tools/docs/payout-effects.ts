import { effectOfState } from '../../src/domain/ledger/expected.ts';
import { payoutStates } from '../../src/domain/payout/machine.ts';

/** SQL that tells the database what the entries of a payout add up to in each state. */
export function payoutEffects(): string {
  const values = payoutStates.map((state) => {
    const { held, in_transit, paid } = effectOfState[state];
    return `  ('${state}', ${held}, ${in_transit}, ${paid})`;
  });
  return `-- Generated from src/domain/ledger/expected.ts by \`npm run generate\`: how often the amount of a payout is reserved,
-- in transit and paid, by its state.

CREATE VIEW ops.payout_effect AS
SELECT v.* FROM (VALUES
${values.join(',\n')}
) AS v (state, held, in_transit, paid);
COMMENT ON VIEW ops.payout_effect IS
  'How often the amount of a payout is reserved, in transit and paid, by its state.';
`;
}
