import {
  GraphQLError,
  specifiedRules,
  type DocumentNode,
  type Source,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { DocumentCache } from './cache.ts';
import { checkDocument, keyedBounds, keylessBounds } from './check.ts';
import { countTokens } from './text.ts';
import { badRequest } from '../errors/mask.ts';
import { exactLiterals } from './exact-literals.ts';

interface DocumentCaller {
  /** Null for who showed no valid key; absent where the context is not that of a request. */
  readonly caller?: unknown;
}

/** What of a document is needed to keep it. */
interface Parsed {
  readonly text: string;
  readonly tokens: number;
}

const hasKey = (context: unknown): boolean => ((context as DocumentCaller).caller ?? null) !== null;

/**
 * Bounds on parsing and validation, tighter for callers without a key, and no hints about fields that
 * a caller did not name. Documents that keyed callers use again are parsed and validated once; those
 * of others are not kept, so that nobody fills the memory without saying who it is.
 */
export function useBounds(introspection: boolean): Plugin {
  const cache = new DocumentCache();
  const valid = new WeakSet<DocumentNode>();
  const parsed = new WeakMap<DocumentNode, Parsed>();

  return {
    onParse: ({ context, params, setParseFn, setParsedDocument, parseFn }) => {
      const keyed = hasKey(context);
      const source = params.source as Source | string; // the engine types it as any
      const text = typeof source === 'string' ? source : source.body;
      const known = keyed ? cache.get(text) : undefined;
      if (known !== undefined) {
        setParsedDocument(known);
        return;
      }
      setParseFn((_source, options) => {
        const tokens = countTokens(text, keyed ? keyedBounds : keylessBounds);
        const document = parseFn(source, options) as DocumentNode;
        if (keyed) parsed.set(document, { text, tokens });
        return document;
      });
    },
    onValidate: ({ context, params, setResult, setValidationFn, validateFn }) => {
      const document = params.documentAST as DocumentNode; // the engine types it as any
      if (valid.has(document)) {
        setResult([]);
        return undefined;
      }
      const problem = problemOf(document, hasKey(context), introspection);
      if (problem !== null) {
        setResult([badRequest(problem)]);
        return undefined;
      }
      const given = params.rules as readonly ValidationRule[] | undefined;
      const rules = [...(given ?? specifiedRules), exactLiterals];
      const options = { maxErrors: 20, hideSuggestions: true };
      // The engine's type for a validation function is any.
      // oxlint-disable-next-line typescript/no-unsafe-return
      setValidationFn(() => validateFn(params.schema, document, rules, options));
      return ({ result, setResult: replaceResult }) => {
        const errors = result as readonly GraphQLError[];
        const known = parsed.get(document);
        if (errors.length === 0 && known !== undefined) {
          valid.add(document);
          cache.set(known.text, document, known.tokens);
        }
        replaceResult(errors.map((error) => badRequest(error)));
      };
    },
  };
}

function problemOf(
  document: DocumentNode,
  keyed: boolean,
  introspection: boolean,
): GraphQLError | null {
  try {
    checkDocument(document, keyed ? keyedBounds : keylessBounds, introspection);
    return null;
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
