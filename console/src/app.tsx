import { RouterProvider } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { Provider } from 'urql';
import { LiveRegion } from './parts/live.tsx';
import { ExactTimes } from './parts/time.tsx';
import { makeClient } from './app/client.ts';
import { Renew } from './app/renew.ts';
import { router } from './router.tsx';

/** The console: one client of GraphQL and one router. */
export function App() {
  const [{ client, number }, setClient] = useState(() => ({ client: makeClient(), number: 0 }));
  const renew = useCallback(
    () => setClient((before) => ({ client: makeClient(), number: before.number + 1 })),
    [],
  );
  return (
    <Renew value={renew}>
      {/* The key: nothing that was read with one client is shown with the next. */}
      <Provider key={number} value={client}>
        <ExactTimes>
          <RouterProvider router={router} />
        </ExactTimes>
      </Provider>
      <LiveRegion />
    </Renew>
  );
}
