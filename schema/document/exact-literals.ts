import { GraphQLError, type ASTVisitor, type ValidationContext, type ValueNode } from 'graphql';
import { isExact } from '../../src/values/exact-number.ts';

/**
 * Refuses a number in a document that a double does not hold: an amount of 1.00000000000000001 would
 * be read as 1. Variables come in the body, which is read as strictly (`readExactJson`).
 */
export function exactLiterals(context: ValidationContext): ASTVisitor {
  const check = (node: ValueNode & { readonly value: string }): void => {
    if (isExact(node.value)) return;
    const message = 'A number has more digits, or is larger or smaller, than can be kept.';
    context.reportError(new GraphQLError(message, { nodes: node }));
  };
  return { IntValue: check, FloatValue: check };
}
