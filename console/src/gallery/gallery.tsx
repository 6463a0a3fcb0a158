import { Forms } from './forms.tsx';
import { Ground } from './ground.tsx';
import { Lists } from './lists.tsx';
import { Marks } from './marks.tsx';

/**
 * Every part in every state, on one page: `npx vite console`, then /console/look/gallery.html. Pictures of it are compared by
 * `test/browser/console/gallery.test.ts`. It is not built for production.
 */
export function Gallery() {
  return (
    <main className="gallery">
      <h1>Parts of the console</h1>
      <Ground />
      <Marks />
      <Forms />
      <Lists />
    </main>
  );
}
