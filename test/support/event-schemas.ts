import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../rest/openapi/document.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': true } });
ajv.addSchema({ ...openApiDocument(), $id: 'interface' });

interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
}

const schemaOf = (type: string): string =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Event`;

/** What an event that was sent has against the schema that the OpenAPI document publishes for its type. */
export function eventProblems(event: SentEvent): string[] {
  const check = ajv.getSchema(`interface#/components/schemas/${schemaOf(event.type)}`);
  if (check === undefined) return [`${event.type} has no schema`];
  return check(event) === true ? [] : [`${event.type}: ${ajv.errorsText(check.errors)}`];
}
