import { graphql } from '../../app/graphql.ts';

export const settingsDocument = graphql(`
  query Settings {
    businessProfile {
      legalName
      registrationNumber
      country
      website
      industry
      contactPhone
      profileStatus
      profileSubmittedAt
      distinctApprover
      address {
        line1
        line2
        city
        state
        postalCode
        country
      }
    }
    collectionBranding {
      color
      language
      privacyUrl
      supportContact
      logo {
        digest
        width
        height
        content
      }
    }
  }
`);

export const profileUpdateDocument = graphql(`
  mutation BusinessProfileUpdate($input: BusinessProfileInput!) {
    businessProfileUpdate(input: $input) {
      profileStatus
    }
  }
`);

export const approvalSettingsDocument = graphql(`
  mutation BusinessSettingsUpdate($distinctApprover: Boolean!) {
    businessSettingsUpdate(distinctApprover: $distinctApprover) {
      distinctApprover
    }
  }
`);

export const brandingUpdateDocument = graphql(`
  mutation CollectionBrandingUpdate($input: CollectionBrandingInput!) {
    collectionBrandingUpdate(input: $input) {
      color
    }
  }
`);
