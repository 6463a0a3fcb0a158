import { docstring, PythonTypes, type PythonSchema } from './python-types.ts';

interface Media {
  readonly schema?: PythonSchema;
}
interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: PythonSchema;
}
interface DocumentOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, PythonSchema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

const head = `# Generated from docs/openapi.json by \`npm run generate\`. Do not edit.
from __future__ import annotations
`;

/** A name of the wire, or of an operation, as Python spells it. */
const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');

/** Refusals are errors of the client, which knows them by their codes. */
const isRefusal = (name: string): boolean => name.endsWith('Refusal');

/** The types of every request and answer, for the Python client. */
export function pythonTypes(given: object): string {
  const { components } = given as Document; // made by openApiDocument, whose shape this is
  const types = new PythonTypes();
  for (const [name, schema] of Object.entries(components.schemas)) {
    if (!isRefusal(name)) types.add(name, schema);
  }
  return `${head}
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

${types.text}
`;
}

/** The field of a request that makes it take effect once; null where it has none. */
function keyOf({ components }: Document, { requestBody }: DocumentOperation): string | null {
  const ref = requestBody?.content['application/json']?.schema?.$ref ?? '';
  const fields = components.schemas[ref.slice(ref.lastIndexOf('/') + 1)]?.properties ?? {};
  return ['idempotency_key', 'decision_id'].find((key) => key in fields) ?? null;
}

/** What a call gives: the types of its good answers. */
function answerOf({ responses }: DocumentOperation): { type: string; files: boolean } {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const types = good.map(([, { content = {} }]) => {
    const ref = content['application/json']?.schema?.$ref;
    if (ref !== undefined) return `t.${ref.slice(ref.lastIndexOf('/') + 1)}`;
    return Object.keys(content).length > 0 ? 'bytes' : 'None';
  });
  // What is JSON beside a file is of a request that asked for a job in its place.
  const files = types.includes('bytes');
  return { type: files ? 'bytes' : [...new Set(types)].join(' | '), files };
}

function method(
  document: Document,
  path: string,
  verb: string,
  operation: DocumentOperation,
): string {
  const all = (operation.parameters ?? []).map((one) =>
    one.$ref === undefined
      ? one
      : (document.components.parameters?.[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)] ?? one),
  );
  const types = new PythonTypes();
  const typed = ({ schema = {} }: Parameter) =>
    types
      .of(schema, 'Parameter')
      .replaceAll(/\b([A-Z]\w+)(?![\w[])/g, (name) =>
        name in document.components.schemas ? `t.${name}` : name,
      );
  const inPath = all.filter((one) => one.in === 'path');
  const inQuery = all.filter((one) => one.in === 'query');
  const body = operation.requestBody;
  const ref = body?.content['application/json']?.schema?.$ref ?? '';
  const bodyType = `t.${ref.slice(ref.lastIndexOf('/') + 1)}${body?.content['text/csv'] === undefined ? '' : ' | str'}`;
  const parameters = [
    'self',
    ...inPath.map((one) => `${snake(one.name)}: str`),
    ...(body === undefined
      ? []
      : [body.required === true ? `body: ${bodyType}` : `body: ${bodyType} | None = None`]),
    ...(inQuery.length === 0 ? [] : ['*']),
    ...inQuery.map((one) => `${snake(one.name)}: ${typed(one)} | None = None`),
  ];
  const dictionary = (entries: readonly Parameter[]) =>
    `{${entries.map((one) => `"${one.name}": ${snake(one.name)}`).join(', ')}}`;
  const key = keyOf(document, operation);
  const answer = answerOf(operation);
  const sent = [
    `"${verb.toUpperCase()}"`,
    `"${path}"`,
    ...(inPath.length === 0 ? [] : [`path=${dictionary(inPath)}`]),
    ...(inQuery.length === 0 ? [] : [`query=${dictionary(inQuery)}`]),
    ...(body === undefined ? [] : ['body=body']),
    ...(key === null ? [] : [`key="${key}"`]),
    ...(answer.files ? ['files=True'] : []),
  ];
  return `    def ${snake(operation.operationId)}(
        ${parameters.join(',\n        ')},
    ) -> ${answer.type}:
${docstring(`${operation.summary}.`, '        ')}
        return cast("${answer.type}", self._send(
            ${sent.join(',\n            ')},
        ))`;
}

/** A method for each operation, for the hand-written part of the Python client. */
export function pythonOperations(given: object): string {
  const document = given as Document;
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => method(document, path, verb, operation)),
  );
  return `${head}
from typing import Any, Literal, Mapping, cast

from . import types as t

API_VERSION = "${document.info.version}"


class Operations:
    """Every operation of the API. The client adds how a request is sent."""

    def _send(
        self,
        method: str,
        template: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        key: str | None = None,
        files: bool = False,
    ) -> Any:
        raise NotImplementedError

${methods.join('\n\n')}
`;
}
