import { readKeysById } from '../../src/domain/access/keys-by-id.ts';
import { isId } from '../../src/values/ids.ts';
import { builder } from '../builder.ts';
import { loadBy } from '../lists/loader.ts';
import { Author, authorOf, memberOf } from './author.ts';
import { AccessChange, ApiKey, Member } from './type.ts';

/** Who did what to whom, by name. */

const keyOf = loadBy(readKeysById, (id) => id);

builder.objectFields(AccessChange, (t) => ({
  author: t.field({
    type: Author,
    nullable: true,
    description: 'Who did it, with the names of today.',
    resolve: ({ actor }) => authorOf(actor),
  }),
  member: t.field({
    type: Member,
    nullable: true,
    description:
      'The member that changed, also one who left since; null where it is about no member.',
    resolve: ({ subjectId }, _args, context) =>
      isId('membership', subjectId) ? memberOf(context, subjectId) : null,
  }),
  apiKey: t.field({
    type: ApiKey,
    nullable: true,
    description:
      "The API key that changed; null where it is about none, and for one of the caller's other environment.",
    resolve: ({ subjectId }, _args, context) =>
      isId('apiKey', subjectId) ? keyOf(context, subjectId) : null,
  }),
}));
