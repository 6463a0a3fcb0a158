import { graphql } from '../../app/graphql.ts';

export const sessionsDocument = graphql(`
  query Sessions {
    sessions {
      id
      current
      signedInBy
      userAgent
      network
      createdAt
      lastSeenAt
    }
    passkeys {
      id
      name
      synced
      createdAt
      lastUsedAt
    }
  }
`);

export const sessionRevokeDocument = graphql(`
  mutation SessionRevoke($id: ID!) {
    sessionRevoke(id: $id)
  }
`);

export const otherSessionsRevokeDocument = graphql(`
  mutation OtherSessionsRevoke {
    otherSessionsRevoke
  }
`);

export const passkeyOptionsDocument = graphql(`
  mutation PasskeyOptions {
    passkeyRegistrationOptions
  }
`);

export const passkeyRegisterDocument = graphql(`
  mutation PasskeyRegister($name: String!, $response: JSON!) {
    passkeyRegister(name: $name, response: $response) {
      id
    }
  }
`);

export const passkeyRemoveDocument = graphql(`
  mutation PasskeyRemove($id: ID!) {
    passkeyRemove(id: $id)
  }
`);
