import {
  changeProviderByOperator,
  connectProviderByOperator,
} from '../../src/domain/operator/provider-connection.ts';
import {
  ProviderConnection,
  providerChangeArgs,
  providerConnectArgs,
} from '../bank/provider-connections.ts';
import { builder } from '../builder.ts';
import { businessArg, reasonArg } from './args.ts';

builder.mutationFields((t) => ({
  operatorProviderConnect: t.field({
    nullable: true,
    type: ProviderConnection,
    description:
      "Operators only. Connects a business's production to its account on a provider's live platform. Null where it waits for a second operator: operatorProposedChanges.",
    args: { ...businessArg(), ...providerConnectArgs(), ...reasonArg() },
    resolve: (_root, args, context) => connectProviderByOperator(context.operatorCall, args),
  }),
  operatorProviderConnectionChange: t.field({
    nullable: true,
    type: ProviderConnection,
    description:
      'Operators only. Changes a production connection whose version is the one that was seen; what is absent stays. Null where other settings wait for a second operator: operatorProposedChanges.',
    args: { ...businessArg(), ...providerChangeArgs(), ...reasonArg() },
    resolve: (_root, args, context) => changeProviderByOperator(context.operatorCall, args),
  }),
}));
