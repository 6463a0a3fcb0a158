/** What the programs of this folder are told by the test that runs them. */
export const environment = process.env;
