import { posix } from 'node:path';
import { isErrorCode } from '../../src/errors/catalogue.ts';
import { guidePath, guides, programs } from './guides.ts';
import type { Links } from './markdown.ts';

/** Files of the repository that a running service answers under another address. */
const served: Readonly<Record<string, string>> = {
  'docs/openapi.json': '/v1/openapi.json',
  ...Object.fromEntries(programs.map((file) => [file, `/${file}`])),
};

/** Addresses of a running service, which a text names as they are: in the repository they lead nowhere. */
const addresses = new Set(['/docs/errors', '/docs/reference', '/v1/openapi.json', '/llms.txt']);

/** The address of an operation by its method and path, as `POST /v1/payouts`. */
export type OperationAddresses = ReadonlyMap<string, string>;

/** A path with its parameters unnamed, so that `{id}` finds `{payoutId}`. */
export const unnamed = (call: string): string =>
  call.replace(/\?.*$/, '').replaceAll(/\{\w+\}/g, '{}');

const call = /^(?:GET|POST|PUT|PATCH|DELETE) \/v1\/\S+$/;

/** What a text from `file` leads to: guides, operations and errors. */
export function linksFrom(file: string, operations: OperationAddresses): Links {
  return {
    link(href) {
      if (href.startsWith('#')) return href;
      const [path = '', anchor] = href.split('#');
      const target = posix.join(posix.dirname(file), path);
      const guide = guides.find((candidate) => candidate.file === target);
      const address = guide === undefined ? served[target] : guidePath(guide.slug);
      if (address === undefined) return null;
      return anchor === undefined ? address : `${address}#${anchor}`;
    },
    code(text) {
      if (addresses.has(text)) return text;
      if (isErrorCode(text)) return `/docs/errors#${text}`;
      return call.test(text) ? (operations.get(unnamed(text)) ?? null) : null;
    },
  };
}
