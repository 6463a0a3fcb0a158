import type { Order } from './model.ts';
import type { FileRefusal } from './read-xml.ts';

/** An order as the file has it. */
export type ReadOrder = Omit<
  Order,
  'id' | 'customer' | 'file_sha256' | 'message_id' | 'rail' | 'status' | 'reason' | 'booked_on'
>;

/** What a file orders, or why nothing of it is done. */
export interface ReadOrders {
  readonly format: 'pain.001.001.09' | 'nacha' | 'unknown';
  /** The customer's id of the message; `NOTPROVIDED` where it could not be read. */
  readonly messageId: string;
  readonly orders: readonly ReadOrder[];
  readonly refusal: FileRefusal | null;
}
