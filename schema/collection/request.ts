import type { StoredRequest } from '../../src/domain/collection/request.ts';
import { CollectionScopeEnum } from '../beneficiary/enums.ts';
import { Beneficiary } from '../beneficiary/type.ts';
import { id, int, json, of, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { CollectionStateEnum } from './form.ts';
import { requestsOf } from './loaders.ts';

const MailStatusEnum = describedEnum(
  'CollectionMailStatus',
  'What became of the e-mail with the link.',
  {
    pending: 'Not sent yet; it is tried again.',
    sent: 'Accepted by the mail server.',
    dead: 'Refused for good or given up. Invite again to send another.',
  },
);

// The columns' CHECK constraints hold the values of the enums.
export const CollectionRequest = builder.objectRef<StoredRequest>('CollectionRequest').implement({
  description: 'A request to a beneficiary for its details, without the link that was mailed.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the request, a UUID.'),
      beneficiaryId: id('Who is asked.'),
      scope: stored(CollectionScopeEnum, 'What it collects.'),
      state: of(CollectionStateEnum, 'What became of it.'),
      expiresAt: time('When its link expires: seven days after it was made.'),
      createdAt: time('When it was made.'),
      closedAt: time.orNull(
        'When it ended; null while it is live. An expired one gets its time when a job has closed it.',
      ),
      mailStatus: stored(MailStatusEnum, 'What became of the e-mail with the link.'),
      mailAttempts: int('Attempts to send the e-mail so far.'),
      mailError: text.orNull('Why the last attempt failed; null once the e-mail is sent.'),
      mailedAt: time.orNull('When the mail server accepted the e-mail.'),
      createdBy: json('Who asked.'),
    }),
});

builder.prismaObjectFields(Beneficiary, (t) => ({
  collectionRequests: t.field({
    type: [CollectionRequest],
    description: 'All collection requests, newest first, ended ones included.',
    resolve: (row, _args, context) => requestsOf(context, row.id),
  }),
}));
