import { graphql } from '../../app/graphql.ts';

/** The latest payees, for who does not know an address by heart, and the purposes. */
export const newPayoutDocument = graphql(`
  query NewPayout {
    purposesOfPayment
    beneficiaries(first: 50, filter: { complianceStatus: compliant }) {
      edges {
        node {
          id
          email
          displayName
        }
      }
    }
  }
`);

export const payeesByTextDocument = graphql(`
  query PayeesByText($text: String!) {
    beneficiarySearch(text: $text, first: 20) {
      beneficiaries {
        id
        email
        displayName
      }
    }
  }
`);

export const payeeByIdDocument = graphql(`
  query PayeeById($id: ID!) {
    beneficiary(id: $id) {
      id
      email
      displayName
      complianceStatus
      bankAccounts {
        id
        bankName
        last4
        currency
        country
        payoutUsable
      }
    }
  }
`);

export const payeeByEmailDocument = graphql(`
  query PayeeByEmail($email: String!) {
    beneficiaries(first: 1, filter: { email: $email }) {
      edges {
        node {
          id
          email
          displayName
          complianceStatus
          bankAccounts {
            id
            bankName
            last4
            currency
            country
            payoutUsable
          }
        }
      }
    }
  }
`);

export const replacedPayoutDocument = graphql(`
  query ReplacedPayout($id: ID!) {
    payout(id: $id) {
      id
      beneficiaryId
      bankAccountId
      amountMinor
      currency
      purposeOfPayment
      externalRef
    }
  }
`);

export const checkPayoutDocument = graphql(`
  mutation CheckPayout($input: PayoutCreateInput!) {
    payoutCreate(input: $input) {
      replayed
      funding {
        currency
        availableMinor
        shortfallMinor
      }
      similarPayouts {
        sameAmount
      }
      failedBefore {
        id
        failureCode
        failureMessage
      }
    }
  }
`);

export const createPayoutDocument = graphql(`
  mutation CreatePayout($input: PayoutCreateInput!) {
    payoutCreate(input: $input) {
      replayed
      payout {
        id
        state
      }
    }
  }
`);
