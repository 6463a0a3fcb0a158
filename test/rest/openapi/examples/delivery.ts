import { expect } from 'vitest';
import { openApiDocument } from '../../../../rest/openapi/document.ts';
import type { ReceivedWebhook } from '../../../support/receiver.ts';

interface Schema {
  readonly properties: Readonly<Record<string, Schema>>;
}

interface Document {
  readonly webhooks: Readonly<
    Record<string, { readonly post: { readonly parameters: readonly { readonly name: string }[] } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;

/** Headers of any HTTP request. */
const ofHttp = ['host', 'connection', 'content-type', 'content-length', 'user-agent'];

/** Fails where a delivery has other fields or headers than the OpenAPI document says of its type. */
export function checkDelivery({ event, headerNames }: ReceivedWebhook): void {
  const name = event.type.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) =>
    letter.toUpperCase(),
  );
  const schema = document.components.schemas[`${name}Event`];
  expect(Object.keys(event).toSorted()).toEqual(Object.keys(schema?.properties ?? {}).toSorted());
  const data = schema?.properties['data'];
  expect(Object.keys(event.data).toSorted()).toEqual(
    Object.keys(data?.properties ?? {}).toSorted(),
  );
  const declared = document.webhooks[event.type]?.post.parameters ?? [];
  expect(headerNames.filter((header) => !ofHttp.includes(header)).toSorted()).toEqual(
    declared.map((parameter) => parameter.name.toLowerCase()).toSorted(),
  );
}
