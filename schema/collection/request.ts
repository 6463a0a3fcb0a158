import type { CollectionScope, StoredRequest } from '../../src/domain/collection/request.ts';
import { CollectionScopeEnum } from '../beneficiary/enums.ts';
import { Beneficiary } from '../beneficiary/type.ts';
import { builder } from '../builder.ts';
import { CollectionStateEnum } from './form.ts';
import { requestsOf } from './loaders.ts';

const MailStatusEnum = builder.enumType('CollectionMailStatus', {
  description:
    'pending: not sent yet, or tried again later. sent: taken by the mail server. dead: refused for good or given up; invite again to send another.',
  values: ['pending', 'sent', 'dead'] as const,
});

// The columns' CHECK constraints hold the values of the enums.
export const CollectionRequest = builder.objectRef<StoredRequest>('CollectionRequest').implement({
  description: 'A request to a payee for its details, without the link (specification 2.5).',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the request, a UUID.' }),
    beneficiaryId: t.exposeID('beneficiaryId', { description: 'Who is asked.' }),
    scope: t.field({
      type: CollectionScopeEnum,
      description: 'What it collects.',
      resolve: (request) => request.scope as CollectionScope,
    }),
    state: t.expose('state', { type: CollectionStateEnum, description: 'What became of it.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When its link expires: seven days after it was made.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null while it is live, and until a job has seen it expire.',
    }),
    mailStatus: t.field({
      type: MailStatusEnum,
      description: 'What became of the mail with its link.',
      resolve: (request) => request.mailStatus as typeof MailStatusEnum.$inferType,
    }),
    mailAttempts: t.exposeInt('mailAttempts', { description: 'How often the mail was tried.' }),
    mailError: t.exposeString('mailError', {
      nullable: true,
      description: 'Why the last try failed; null once it is sent.',
    }),
    mailedAt: t.expose('mailedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the mail server took the mail.',
    }),
    createdBy: t.expose('createdBy', { type: 'JSON', description: 'Who asked.' }),
  }),
});

builder.prismaObjectFields(Beneficiary, (t) => ({
  collectionRequests: t.field({
    type: [CollectionRequest],
    description: 'Every collection request, newest first; those that ended too.',
    resolve: (row, _args, context) => requestsOf(context, row.id),
  }),
}));
