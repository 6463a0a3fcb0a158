/** Why a batch was closed. */
export const batchClosings = ['cut_off', 'full', 'request'] as const;
export type BatchClosing = (typeof batchClosings)[number];

/** What is known of a file on its way to the bank. */
export const batchStatuses = ['closed', 'sending', 'sent', 'unknown', 'rejected'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** What an operator finds out about a file of which nobody knows whether the bank has it. */
export const batchOutcomes = ['sent', 'not_sent'] as const;
export type BatchOutcome = (typeof batchOutcomes)[number];
