import { answerChange, type AnsweredChange } from '../../src/domain/operator/answer-change.ts';
import type { ConfirmationAnswer } from '../../src/domain/operator/confirmation-store.ts';
import {
  listWaitingChanges,
  type WaitingChange,
} from '../../src/domain/operator/waiting-changes.ts';
import type { ChangeStatus, OperatorChangeKind } from '../../src/domain/proposed-change/names.ts';
import { bool, id, json, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { IssuedApiKey } from '../business/mutations.ts';
import { describedEnum } from '../common/described-enum.ts';
import { businessArg, listArgs, reasonArg } from './args.ts';
import { listPage, OperatorListed } from './listed.ts';
import { operatorPageCost } from './page.ts';

const OperatorChangeKindEnum = describedEnum<OperatorChangeKind>(
  'OperatorChangeKind',
  'What an operator proposes.',
  {
    bank_connect: 'A new bank connection: operatorBankConnect.',
    bank_connection_change: 'A change of a bank connection: operatorBankConnectionChange.',
    routes_replace: 'Other routes: operatorRoutesReplace.',
    production_key: 'A production key: operatorProductionKeyIssue.',
    member_invitation: 'A link to a production key for a member: operatorMemberInvitationSend.',
    bank_file_take: 'A file that was brought by hand: operatorBankFileTake.',
    bank_line_match: 'A movement that was matched by hand: operatorBankLineMatch.',
  },
);

const OperatorProposedChange = builder
  .objectRef<WaitingChange>('OperatorProposedChange')
  .implement({
    description:
      'A change that decides where money or secrets go, or says what became of money, and waits for a second operator. Answer it with operatorChangeAnswer.',
    interfaces: [OperatorListed],
    fields: (t) =>
      shown(t, {
        changeId: id('Id of the proposed change.'),
        kind: of(OperatorChangeKindEnum, 'What it is.'),
        subjectId: id(
          'The connection that it changes, the member who is invited, the file or the movement; the business for routes and for what is made.',
        ),
        shown: json(
          'What is there and what it becomes: {before, after}, without secrets; before is null for what is made.',
        ),
        digest: text('Stands for exactly this change, in hexadecimal. The answer repeats it.'),
        reason: text('Why it was proposed.'),
        proposedAt: time('When.'),
        proposedBy: text('Who proposed it: the id of an operator key, or of an operator.'),
        proposedByPerson: text('The name of who proposed it, in small letters.'),
        proposedByYou: bool(
          'Whether you proposed it, by this key or session or another of yours. Somebody else has to confirm it then.',
        ),
        expiresAt: time('Until when it can be confirmed.'),
      }),
  });

const ProposedChanges = connectionOf(
  OperatorProposedChange,
  'OperatorProposedChangeConnection',
  'A page of proposed changes, oldest first.',
);

const ChangeStatusEnum = describedEnum<ChangeStatus>(
  'ProposedChangeStatus',
  'What became of a proposed change.',
  {
    waiting: 'It waits for a second person.',
    confirmed: 'A second person confirmed it, and it is carried out.',
    declined: 'It ended without an effect.',
    stale:
      'What it would change was changed since, or whoever proposed it was revoked. It ended without an effect.',
    replaced: 'A later proposal took its place.',
    expired: 'Nobody answered in time.',
  },
);

const OperatorChangeAnswerEnum = describedEnum<ConfirmationAnswer>(
  'OperatorChangeAnswer',
  'What a second operator says to a proposed change.',
  {
    confirmed: 'It is right, and is carried out at once.',
    declined: 'It ends without an effect.',
  },
);

const OperatorAnsweredChange = builder
  .objectRef<AnsweredChange>('OperatorAnsweredChange')
  .implement({
    description: 'A proposed change after the answer.',
    fields: (t) =>
      shown(t, {
        changeId: t.id({
          description: 'Id of the proposed change.',
          resolve: ({ change }) => change.id,
        }),
        status: t.field({
          type: ChangeStatusEnum,
          description: 'confirmed or declined.',
          // The column's CHECK constraint holds these values.
          resolve: ({ change }) => change.status as ChangeStatus,
        }),
        changedId: id.orNull(
          'What was changed or made: a connection, a key, the member who was invited, the file or the movement; the business for routes. Null where it was declined.',
        ),
        issuedKey: of.orNull(
          IssuedApiKey,
          'The production key, which is shown only here; null for every other change.',
        ),
      }),
  });

builder.queryField('operatorProposedChanges', (t) =>
  t.field({
    type: ProposedChanges,
    description:
      'Operators only. Changes of operators that wait for a second one, where OPERATOR_CONFIRMATION asks for one.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage('operatorProposedChanges', listWaitingChanges, ({ changeId }) => changeId),
  }),
);

builder.mutationField('operatorChangeAnswer', (t) =>
  t.field({
    nullable: true,
    type: OperatorAnsweredChange,
    description:
      'Operators only. Answers a change that another operator proposed: confirmed, it is carried out exactly as it was proposed. Throws not_found; conflict for the person who proposed it, who may only decline it, where it was answered or has expired, and where the order would be refused today or whoever proposed it was revoked since, which ends it as stale; unauthorized for a key that was revoked a moment ago.',
    args: {
      ...businessArg(),
      changeId: t.arg.id({ required: true, description: 'The proposed change.' }),
      digest: t.arg.string({
        required: true,
        description:
          'As operatorProposedChanges shows it, so that what was read is what is answered.',
      }),
      answer: t.arg({
        type: OperatorChangeAnswerEnum,
        required: true,
        description: 'What the second operator says.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => answerChange(context.operatorCall, args),
  }),
);
