import { graphql } from '../../app/graphql.ts';

export const payeesDocument = graphql(`
  query Payees(
    $first: Int
    $after: String
    $last: Int
    $before: String
    $filter: BeneficiaryFilter
  ) {
    beneficiaries(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      edges {
        node {
          id
          displayName
          email
          beneficiaryType
          status
          collectionStatus
          enrollmentStatus
          createdAt
          updatedAt
          pendingRequests {
            id
            expiresAt
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
        hasPreviousPage
        startCursor
      }
    }
  }
`);

export const payeeSearchDocument = graphql(`
  query PayeeSearch($text: String!) {
    beneficiarySearch(text: $text, first: 50) {
      more
      beneficiaries {
        id
        displayName
        email
        beneficiaryType
        status
        collectionStatus
        enrollmentStatus
        createdAt
        updatedAt
        pendingRequests {
          id
          expiresAt
        }
      }
    }
  }
`);

export const payeeDocument = graphql(`
  query Payee($id: ID!) {
    beneficiary(id: $id) {
      id
      name
      displayName
      nickname
      email
      phone
      beneficiaryType
      status
      complianceStatus
      collectionStatus
      enrollmentStatus
      enrolledBankAccountId
      identityComplete
      reacknowledgmentRequired
      countryOfResidence
      countryOfIncorporation
      acknowledgedAt
      archivedAt
      erasedAt
      detailsSubmittedAt
      createdAt
      updatedAt
      postalAddress {
        line1
        line2
        city
        postalCode
        country
      }
      bankAccounts {
        id
        accountHolderName
        bankName
        country
        currency
        last4
        status
        validationStatus
        payoutUsable
        railRejectionReason
        unusableReason {
          message
        }
        updatedAt
      }
      collectionRequests {
        id
        scope
        state
        createdAt
        expiresAt
        closedAt
        mailStatus
        mailError
      }
      history {
        seq
        kind
        reason
        occurredAt
      }
      payouts(first: 5) {
        edges {
          node {
            id
            state
            amountMinor
            currency
            createdAt
          }
        }
      }
    }
  }
`);

export const acknowledgeDocument = graphql(`
  mutation PayeeAcknowledge($id: ID!) {
    beneficiaryAcknowledge(id: $id) {
      id
      status
    }
  }
`);

export const archiveDocument = graphql(`
  mutation PayeeArchive($id: ID!) {
    beneficiaryArchive(id: $id) {
      id
      archivedAt
    }
  }
`);

export const inviteDocument = graphql(`
  mutation PayeeInvite($invites: [CollectionInviteInput]!) {
    collectionInvite(invites: $invites) {
      status
      beneficiaryId
      error {
        code
        message
      }
    }
  }
`);

export const cancelRequestDocument = graphql(`
  mutation PayeeRequestCancel($beneficiaryId: ID!, $id: ID!) {
    collectionRequestCancel(beneficiaryId: $beneficiaryId, id: $id) {
      id
      state
    }
  }
`);
