import type { CollectionScope, StoredRequest } from '../../src/domain/collection/request.ts';
import { CollectionScopeEnum } from '../beneficiary/enums.ts';
import { Beneficiary } from '../beneficiary/type.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';
import { CollectionStateEnum } from './form.ts';
import { requestsOf } from './loaders.ts';

const MailStatusEnum = builder.enumType('CollectionMailStatus', {
  description: 'What became of the e-mail with the link.',
  values: describedValues({
    pending: 'Not sent yet; it is tried again.',
    sent: 'Accepted by the mail server.',
    dead: 'Refused for good or given up. Invite again to send another.',
  }),
});

// The columns' CHECK constraints hold the values of the enums.
export const CollectionRequest = builder.objectRef<StoredRequest>('CollectionRequest').implement({
  description: 'A request to a beneficiary for its details, without the link that was mailed.',
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
      description:
        'When it ended; null while it is live. An expired one gets its time when a job has closed it.',
    }),
    mailStatus: t.field({
      type: MailStatusEnum,
      description: 'What became of the e-mail with the link.',
      resolve: (request) => request.mailStatus as typeof MailStatusEnum.$inferType,
    }),
    mailAttempts: t.exposeInt('mailAttempts', {
      description: 'Attempts to send the e-mail so far.',
    }),
    mailError: t.exposeString('mailError', {
      nullable: true,
      description: 'Why the last attempt failed; null once the e-mail is sent.',
    }),
    mailedAt: t.expose('mailedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the mail server accepted the e-mail.',
    }),
    createdBy: t.expose('createdBy', { type: 'JSON', description: 'Who asked.' }),
  }),
});

builder.prismaObjectFields(Beneficiary, (t) => ({
  collectionRequests: t.field({
    type: [CollectionRequest],
    description: 'All collection requests, newest first, ended ones included.',
    resolve: (row, _args, context) => requestsOf(context, row.id),
  }),
}));
