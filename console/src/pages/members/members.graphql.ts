import { graphql } from '../../app/graphql.ts';

export const membersDocument = graphql(`
  query Members($first: Int, $after: String, $last: Int, $before: String) {
    members(first: $first, after: $after, last: $last, before: $before) {
      edges {
        node {
          id
          email
          firstName
          lastName
          role
          me
          createdAt
          acceptedAt
          removedAt
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

export const accessChangesDocument = graphql(`
  query AccessChanges($first: Int!) {
    accessChanges(first: $first) {
      edges {
        node {
          id
          kind
          occurredAt
          environment
          subjectId
          after
          author {
            type
            you
            name
            member {
              email
              firstName
              lastName
            }
          }
          member {
            email
            firstName
            lastName
          }
          apiKey {
            id
            name
          }
        }
      }
    }
  }
`);

export const memberInviteDocument = graphql(`
  mutation MemberInvite($email: String!, $role: Role!) {
    memberInvite(email: $email, role: $role) {
      id
    }
  }
`);

export const memberInvitationSendDocument = graphql(`
  mutation MemberInvitationSend($id: ID!) {
    memberInvitationSend(id: $id) {
      id
    }
  }
`);

export const memberRoleChangeDocument = graphql(`
  mutation MemberRoleChange($id: ID!, $role: Role!) {
    memberRoleChange(id: $id, role: $role) {
      id
      role
    }
  }
`);

export const memberRemoveDocument = graphql(`
  mutation MemberRemove($id: ID!) {
    memberRemove(id: $id) {
      id
      removedAt
    }
  }
`);

export const memberSessionsDocument = graphql(`
  query MemberSessions($id: ID!) {
    memberSessions(memberId: $id) {
      id
      current
      signedInBy
      userAgent
      network
      createdAt
      lastSeenAt
    }
  }
`);

export const memberSessionsRevokeDocument = graphql(`
  mutation MemberSessionsRevoke($id: ID!) {
    memberSessionsRevoke(memberId: $id)
  }
`);
