import { useEffect, useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { Loading } from '../parts/loading.tsx';
import { keepLanguage, language, newChoice } from '../texts/language.ts';
import { viewerLanguageChangeDocument } from '../../../generated/console-types/app/session.ts';
import type { Viewer } from './session.ts';

interface OwnLanguageProps {
  readonly viewer: Viewer;
  readonly children: ReactNode;
}

/**
 * The language follows its reader. What they chose before they signed in is kept with them; what they chose in another
 * browser makes the page load anew in it, before anything of it is seen. Later, while somebody works, nothing does.
 */
export function OwnLanguage({ viewer, children }: OwnLanguageProps) {
  const [, change] = useMutation(viewerLanguageChangeDocument);
  const [loadsAnew] = useState(
    () =>
      newChoice() === null &&
      viewer.language !== null &&
      viewer.language !== language &&
      keepLanguage(viewer.language, 'service'),
  );
  useEffect(() => {
    if (loadsAnew) window.location.reload();
  }, [loadsAnew]);
  useEffect(() => {
    const chosen = newChoice();
    if (chosen === null) return;
    const tell = async () => {
      const { error } = await change({ language: chosen });
      // A service that cannot be reached is told with the next load.
      if (error === undefined) keepLanguage(chosen, 'service');
    };
    void tell();
  }, [change]);
  return loadsAnew ? <Loading lines={8} /> : children;
}
