import {
  resolve,
  type ApiDocument,
  type ApiOperation,
  type Method,
  type Parameter,
} from './document.ts';
import { sampleOf, samplesOf, sampleText } from './sample.ts';

/** In single quotes for a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The value that a sample has for a parameter; the name of an id in capitals, which a reader fills in. */
function valueOf(document: ApiDocument, { name, example, schema = {} }: Parameter): string {
  const sample = example ?? sampleOf(document, schema, 'required');
  if (sample !== 'string') return String(sample);
  const shell = name.replaceAll(/([A-Z])/g, '_$1').toUpperCase();
  return `$${shell}`;
}

/** The names of the examples in which something is created: of several bodies theirs is the usual one. */
function createdExamples(document: ApiDocument, { responses = {} }: ApiOperation): string[] {
  const created = responses['201'];
  if (created === undefined) return [];
  const { content = {} } = resolve(document, created);
  return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
}

function bodyLines(document: ApiDocument, operation: ApiOperation): string[] {
  if (operation.requestBody === undefined) return [];
  const { content = {} } = resolve(document, operation.requestBody);
  const [type = '', media = {}] = Object.entries(content)[0] ?? [];
  const samples = samplesOf(document, media, 'required');
  const created = new Set(createdExamples(document, operation));
  const sample = samples.find(({ key }) => key !== null && created.has(key)) ?? samples[0];
  if (sample === undefined) return [];
  return [`-H 'Content-Type: ${type}'`, `-d ${quote(sampleText(type, sample.value))}`];
}

/** The call of an operation with curl: what it requires, and the first example of its body. */
export function curlOf(
  document: ApiDocument,
  method: Method,
  path: string,
  operation: ApiOperation,
  server: string,
): string {
  const parameters = (operation.parameters ?? []).map((given) => resolve(document, given));
  const named = (name: string) => parameters.find((given) => given.name === name);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = named(name);
    return parameter === undefined ? `$${name.toUpperCase()}` : valueOf(document, parameter);
  });
  const query = parameters
    .filter((given) => given.in === 'query' && given.required === true)
    .map((given) => `${given.name}=${valueOf(document, given)}`);
  const url = `"${server}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}"`;
  const isOpen = operation.security?.length === 0;
  const lines = [
    `curl ${method === 'get' || method === 'post' ? '' : `-X ${method.toUpperCase()} `}${url}`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $API_KEY"']),
    ...bodyLines(document, operation),
  ];
  // Without a body curl would ask with GET.
  if (method === 'post' && !lines.some((line) => line.startsWith('-d '))) {
    lines[0] = `curl -X POST ${url}`;
  }
  return lines.join(' \\\n  ');
}
