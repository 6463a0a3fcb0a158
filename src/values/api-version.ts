/** The current version of the API's and the events' shapes (specification 9, decisions 1). */
export const currentApiVersion = '2026-11-01';
