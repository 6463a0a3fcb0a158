import { textFor, texts } from '../texts/texts.ts';

/** Who did something, as GraphQL says it. */
export interface AuthorParts {
  readonly type: string;
  readonly you: boolean;
  readonly name: string | null;
  readonly member: PersonParts | null;
}

interface PersonParts {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** A person by their name, or by their address where no name is known. */
export function personName({ email, firstName, lastName }: PersonParts): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name === '' ? email : name;
}

/** Whom a reader is told of: themselves, a colleague, or what is no person. */
export function authorName({ type, you, name, member }: AuthorParts): string {
  if (member !== null)
    return you ? texts.author.you({ name: personName(member) }) : personName(member);
  return name ?? textFor(texts.author.types, type) ?? type;
}
