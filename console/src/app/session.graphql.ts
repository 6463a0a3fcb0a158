import { graphql } from './graphql.ts';

export const viewerDocument = graphql(`
  query Viewer {
    viewer {
      id
      email
      name
      isOperator
      role
      permissions
      environment
      businessId
      actingFor
      memberships {
        id
        businessId
        businessName
        role
        environments
      }
    }
  }
`);

export const sessionSwitchDocument = graphql(`
  mutation SessionSwitch($businessId: ID!, $environment: Environment!) {
    sessionSwitch(businessId: $businessId, environment: $environment)
  }
`);
