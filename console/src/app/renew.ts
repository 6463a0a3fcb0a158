import { createContext } from 'react';

/** Makes the GraphQL client anew, with an empty cache. */
export const Renew = createContext((): void => {});
