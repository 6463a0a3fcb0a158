import { graphql } from '../../app/graphql.ts';

export const importRowsDocument = graphql(`
  mutation ImportRows($payouts: [PayoutCreateInput]!, $dryRun: Boolean!) {
    payoutBulkCreate(payouts: $payouts, dryRun: $dryRun) {
      index
      status
      payout {
        id
      }
      earlier {
        id
        createdAt
      }
      error {
        code
        message
        details
      }
    }
  }
`);
