import type { BankConnectionFacts, TransportSettings } from '../../providers/bank-connection.ts';
import type { OtherFileKind } from '../../providers/bank-other-kinds.ts';

/** What a connection's columns hold, for those who show them. */
export type ConnectionStatus = BankConnectionFacts['status'];
export type ConnectionScheme = BankConnectionFacts['schemes'][number];
export type TransportKind = TransportSettings['kind'];
export type ExpectedFormat = OtherFileKind;
