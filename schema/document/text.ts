import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';

/** How large the text of an operation may be, before anything of it is understood. */
export interface TextBounds {
  readonly characters: number;
  readonly lines: number;
  readonly tokens: number;
}

/**
 * Deepest nesting of braces, brackets and parentheses; GraphiQL's introspection has ten. The parser
 * and what walks a document afterwards are recursive, and a stack that overflows is our fault.
 */
const maxNesting = 32;

const opening: ReadonlySet<TokenKind> = new Set([
  TokenKind.BRACE_L,
  TokenKind.BRACKET_L,
  TokenKind.PAREN_L,
]);
const closing: ReadonlySet<TokenKind> = new Set([
  TokenKind.BRACE_R,
  TokenKind.BRACKET_R,
  TokenKind.PAREN_R,
]);

/** Ends of lines, as the engine counts them where an error tells its place. */
const lineEnd = /\r\n|[\n\r]/g;

/** The error that says which bound a document is beyond. */
export function tooMuch(limit: number, what: string): GraphQLError {
  return new GraphQLError(`The document has more than ${limit.toLocaleString('en')} ${what}.`);
}

/**
 * Counts the tokens of a document in one pass over its text. Throws GraphQLError for a document that
 * is beyond the bounds, nests too deeply, or contains something that is no token. Lines are bounded
 * because each error of an operation finds its line by counting from the top.
 */
export function countTokens(text: string, bounds: TextBounds): number {
  if (text.length > bounds.characters) throw tooMuch(bounds.characters, 'characters');
  if ((text.match(lineEnd)?.length ?? 0) >= bounds.lines) throw tooMuch(bounds.lines, 'lines');
  const lexer = new Lexer(new Source(text));
  let [tokens, nesting] = [0, 0];
  for (;;) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return tokens;
    tokens += 1;
    if (tokens > bounds.tokens) throw tooMuch(bounds.tokens, 'tokens');
    if (opening.has(kind)) nesting += 1;
    if (closing.has(kind)) nesting -= 1;
    if (nesting > maxNesting) throw tooMuch(maxNesting, 'levels of brackets');
  }
}
