/** The current version of the API's and the events' shapes. */
export const currentApiVersion = '2026-11-01';
