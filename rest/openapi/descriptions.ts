import { isInputObjectType, isObjectType, type GraphQLNamedType } from 'graphql';
import { schema } from '../../schema/schema.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, { description?: string; $ref?: string }>>;
}

/** Components whose type in GraphQL has a name of its own. */
const typeNames: Readonly<Record<string, string>> = {
  BankAccountWrite: 'BankAccountInput',
  BulkInviteRow: 'CollectionInviteInput',
  BusinessProfileUpdate: 'BusinessProfileInput',
  CollectionBrandingUpdate: 'CollectionBrandingInput',
  DecisionCreate: 'DecisionInput',
  PayoutBulkRow: 'PayoutCreateInput',
  RegistrationCreate: 'BusinessRegisterInput',
  WebhookDeliveryWithAttempts: 'WebhookDelivery',
  WebhookSubscriptionCreate: 'WebhookSubscriptionUpsertInput',
};

function typeOf(component: string): GraphQLNamedType | undefined {
  return schema.getType(typeNames[component] ?? component) ?? schema.getType(`${component}Input`);
}

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/**
 * Describes the fields of components for which the contract says nothing more in the words of the
 * GraphQL schema, which describes every field.
 */
export function describeFields(components: Readonly<Record<string, Schema>>): void {
  for (const [name, { properties = {} }] of Object.entries(components)) {
    const type = typeOf(name);
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    const fields = type.getFields();
    for (const [field, property] of Object.entries(properties)) {
      const description = fields[camelCase(field)]?.description;
      if (property.$ref !== undefined || typeof description !== 'string') continue;
      property.description ??= description;
    }
  }
}
