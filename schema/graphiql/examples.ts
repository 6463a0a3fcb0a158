/** An operation to begin with, which runs as it is in a sandbox. */
export interface Example {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** What GraphiQL has open at first, a tab for each. */
export const examples: readonly Example[] = [
  {
    query: `# Who you are, and your latest payouts.
query Start {
  me {
    environment
    role
  }
  payouts(first: 5) {
    edges {
      node {
        id
        state
        amountMinor
        currency
        permittedActions
      }
    }
  }
}
`,
  },
  {
    query: `# Registers a payee. The e-mail address is unique: change it to register another one.
mutation RegisterPayee($input: BeneficiaryCreateInput!) {
  beneficiaryCreate(input: $input) {
    id
    complianceStatus
  }
}
`,
    variables: {
      input: {
        beneficiaryType: 'person',
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        countryOfResidence: 'US',
        dateOfBirth: '1990-04-01',
        acknowledged: true,
      },
    },
  },
  {
    query: `# What waits for an approval, and what the approver should know.
query ApprovalQueue {
  payouts(first: 20, filter: { state: [pending_approval] }) {
    edges {
      node {
        id
        beneficiaryName
        amountMinor
        currency
        waitsFor
        accountChanges
        permittedActions
        createdAt
      }
    }
  }
}
`,
  },
  {
    query: `# Everything that happened to your latest payout.
query Story {
  payouts(first: 1) {
    edges {
      node {
        id
        state
        timeline(first: 50) {
          edges {
            node {
              at
              kind
              summary
            }
          }
        }
      }
    }
  }
}
`,
  },
  {
    query: `# Every change of state, as it happens. It stays open: make a payout meanwhile, or run npm run demo.
subscription Live {
  payoutTransitions {
    id
    transition {
      fromState
      toState
      occurredAt
    }
    payout {
      id
      amountMinor
      currency
    }
  }
}
`,
  },
];
