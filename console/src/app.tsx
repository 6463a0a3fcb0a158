import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { Provider } from 'urql';
import { ExactTimes } from './parts/time.tsx';
import { makeClient } from './app/client.ts';
import { Renew } from './app/renew.ts';
import { router } from './router.tsx';

/** The console: one client of GraphQL and one router. */
export function App() {
  const [client, setClient] = useState(makeClient);
  return (
    <Renew value={() => setClient(makeClient())}>
      <Provider value={client}>
        <ExactTimes>
          <RouterProvider router={router} />
        </ExactTimes>
      </Provider>
    </Renew>
  );
}
