import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

/** What a linter says against the document. */
export interface Finding {
  readonly linter: 'redocly' | 'spectral';
  readonly rule: string;
  /** Where, as a JSON pointer. */
  readonly place: string;
  readonly message: string;
}

/** Redocly's strict rules, and those beyond them that fit every document. */
const redoclyRules = {
  extends: ['recommended-strict'],
  rules: {
    'component-name-unique': 'error',
    // Every answer of a test is compared with its contract, undeclared fields included. Here they are
    // permitted, because this rule does not look through `allOf`.
    'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
    'no-invalid-parameter-examples': 'error',
    'no-invalid-schema-examples': 'error',
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
    'path-not-include-query': 'error',
    'tags-alphabetical': 'error',
  },
} as const;

/** Every rule of Spectral for OpenAPI. */
const spectralRules = {
  extends: [[oas, 'all']],
  rules: {
    // The licence is named by its SPDX identifier, beside which OpenAPI 3.1 permits no URL.
    'license-url': 'off',
    // Each installation has an operator of its own, whose addresses are not known here.
    'contact-properties': 'off',
  },
} as const;

async function redoclyFindings(text: string): Promise<Finding[]> {
  // `extends` and `rules` are lists that the library may add to.
  const config = await createConfig(structuredClone(redoclyRules) as object);
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location: [at] }) => ({
    linter: 'redocly',
    rule: ruleId,
    place: at?.pointer ?? '#/',
    message,
  }));
}

async function spectralFindings(text: string): Promise<Finding[]> {
  const spectral = new Spectral();
  spectral.setRuleset(spectralRules as unknown as Parameters<Spectral['setRuleset']>[0]);
  const problems = await spectral.run(JSON.parse(text) as Record<string, unknown>);
  return problems.map(({ code, path, message }) => ({
    linter: 'spectral',
    rule: String(code),
    place: `#/${path.map((step) => String(step).replaceAll('/', '~1')).join('/')}`,
    message,
  }));
}

/**
 * Everything that Redocly and Spectral find in an OpenAPI document, of whatever severity. Nothing is
 * fetched: a reference leads into the document itself.
 * @param text the document as JSON
 */
export async function findingsIn(text: string): Promise<Finding[]> {
  return [...(await redoclyFindings(text)), ...(await spectralFindings(text))];
}
