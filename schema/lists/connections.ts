import type { ObjectRef } from '@pothos/core';
import { builder } from '../builder.ts';
import { totalFields } from './total.ts';

type Rows<Row> = ObjectRef<typeof builder.$inferSchemaTypes, Row, Row>;

/** The pages of a list (https://relay.dev/graphql/connections.htm). */
export const connectionOf = <Row>(type: Rows<Row>, name: string, description: string) =>
  builder.connectionObject({ type, name, description });

/** The pages of a list that can be counted. */
export const countedConnectionOf = <Row>(type: Rows<Row>, name: string, description: string) =>
  builder.connectionObject({ type, name, description, fields: (t) => totalFields(t) });
