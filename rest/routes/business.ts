import {
  collectionBrandingBody,
  collectionBrandingEnvelope,
  businessProfileBody,
  businessProfileEnvelope,
  registration,
  registrationBody,
} from '../contracts/business.ts';
import { toCamelCase } from '../http/case.ts';
import { route } from '../route/route.ts';

const profileFields = `
  fragment ProfileFields on BusinessProfile {
    legal_name: legalName registration_number: registrationNumber country
    address { line1 line2 city state postal_code: postalCode country }
    website industry contact_phone: contactPhone
    profile_status: profileStatus profile_submitted_at: profileSubmittedAt
    distinct_approver: distinctApprover
  }`;

const brandingFields = `
  fragment BrandingFields on CollectionBranding {
    color support_contact: supportContact privacy_url: privacyUrl language
    logo { content_type: contentType digest width height size_bytes: sizeBytes }
  }`;

export const businessRoutes = [
  route({
    method: 'post',
    path: '/v1/registration',
    operationId: 'register',
    summary: 'Register a business and get its first sandbox key, which is shown only once',
    tag: 'Business',
    permission: null,
    body: registrationBody,
    responses: {
      201: {
        means:
          'The business, its owner and a sandbox key of the owner. The key is shown only here and works at once. A mail brings the link that proves the address; without that proof no operator accepts the profile.',
        body: registration,
      },
    },
    errors: [
      'EMAIL_ALREADY_REGISTERED',
      'COMPANY_DOMAIN_ALREADY_CLAIMED',
      'REGISTRATION_RATE_LIMITED',
    ],
    document: `
      mutation Register($input: BusinessRegisterInput!) {
        registered: businessRegister(input: $input) {
          business {
            id company_name: companyName email_domain: emailDomain
            profile_status: profileStatus created_at: createdAt
          }
          user { id email first_name: firstName last_name: lastName created_at: createdAt }
          membership { id business_id: businessId user_id: userId role created_at: createdAt }
          api_key: apiKey { id environment role key }
        }
      }`,
    variables: ({ body }) => ({ input: toCamelCase(body) }),
    answer: (data) => ({ status: 201, body: data['registered'] }),
  }),
  route({
    method: 'get',
    path: '/v1/business/profile',
    operationId: 'getBusinessProfile',
    summary: 'Read the business profile',
    tag: 'Business',
    permission: 'read',
    responses: {
      200: {
        means: 'The business profile; what was not given is null.',
        body: businessProfileEnvelope,
      },
    },
    errors: [],
    document: `
      query GetBusinessProfile { business_profile: businessProfile { ...ProfileFields } }
      ${profileFields}`,
    variables: () => ({}),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'put',
    path: '/v1/business/profile',
    operationId: 'updateBusinessProfile',
    summary:
      'Change the business profile; a complete one is submitted and the sandbox gets its test balance',
    tag: 'Business',
    permission: 'business:write',
    body: businessProfileBody,
    responses: {
      200: {
        means:
          'The profile after the change. profile_status is submitted once it is complete; the sandbox wallet is funded shortly after.',
        body: businessProfileEnvelope,
      },
    },
    errors: ['conflict'],
    document: `
      mutation UpdateBusinessProfile($input: BusinessProfileInput!) {
        business_profile: businessProfileUpdate(input: $input) { ...ProfileFields }
      }
      ${profileFields}`,
    variables: ({ body }) => ({ input: toCamelCase(body) }),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'get',
    path: '/v1/business/collection-branding',
    operationId: 'getCollectionBranding',
    summary: 'Read how the collection pages and mails look',
    tag: 'Business',
    permission: 'read',
    responses: {
      200: { means: 'The branding; what was not set is null.', body: collectionBrandingEnvelope },
    },
    errors: [],
    document: `
      query GetCollectionBranding {
        collection_branding: collectionBranding { ...BrandingFields }
      }
      ${brandingFields}`,
    variables: () => ({}),
    answer: (data) => ({ status: 200, body: data }),
  }),
  route({
    method: 'put',
    path: '/v1/business/collection-branding',
    operationId: 'updateCollectionBranding',
    summary:
      'Change logo, colour, support contact, privacy link and language of the collection pages and mails',
    tag: 'Business',
    permission: 'business:write',
    details:
      'Until an operator has accepted the business, its mails carry the colour alone: no logo and no link. The pages show all of it.',
    body: collectionBrandingBody,
    responses: {
      200: { means: 'The branding after the change.', body: collectionBrandingEnvelope },
    },
    errors: [],
    document: `
      mutation UpdateCollectionBranding($input: CollectionBrandingInput!) {
        collection_branding: collectionBrandingUpdate(input: $input) { ...BrandingFields }
      }
      ${brandingFields}`,
    variables: ({ body }) => ({ input: toCamelCase(body) }),
    answer: (data) => ({ status: 200, body: data }),
  }),
];
