import {
  GraphQLError,
  Kind,
  specifiedRules,
  type ASTVisitor,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { badRequest } from './errors.ts';
import { exactLiterals } from './exact-literals.ts';

/** Longest operation in lexical tokens; GraphiQL's introspection has about 500. */
const maxTokens = 3_000;

/**
 * Commands that one operation may hold. A request pays for one in the tenant's rate, so aliases must
 * not make it a hundred; they also run one after another and would hold the request.
 */
const maxCommands = 10;

function countFields(
  selections: SelectionSetNode,
  context: ValidationContext,
  entered: ReadonlySet<string>,
): number {
  let count = 0;
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) {
      count += 1;
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      count += countFields(selection.selectionSet, context, entered);
    } else if (!entered.has(selection.name.value)) {
      const fragment = context.getFragment(selection.name.value);
      const within = new Set([...entered, selection.name.value]);
      if (fragment) count += countFields(fragment.selectionSet, context, within);
    }
    if (count > maxCommands) return count;
  }
  return count;
}

function fewCommands(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (node.operation !== 'mutation') return;
      if (countFields(node.selectionSet, context, new Set()) <= maxCommands) return;
      const message = `An operation may hold at most ${maxCommands} mutations.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** Bounds on parsing and validation, and no hints about fields that a caller did not name. */
export function useBounds(): Plugin {
  return {
    onParse: ({ params, setParsedDocument, parseFn }) => {
      setParsedDocument(parseFn(params.source, { ...params.options, maxTokens }));
    },
    onValidate: ({ params, setValidationFn, validateFn }) => {
      const given = params.rules as readonly ValidationRule[] | undefined;
      const rules = [...(given ?? specifiedRules), fewCommands, exactLiterals];
      const options = { maxErrors: 20, hideSuggestions: true };
      // The engine's type for a validation function is any.
      // oxlint-disable-next-line typescript/no-unsafe-return
      setValidationFn(() => validateFn(params.schema, params.documentAST, rules, options));
      return ({ result, setResult }) => {
        setResult((result as readonly GraphQLError[]).map((error) => badRequest(error)));
      };
    },
  };
}
