import { buildBundle } from '../bundle/build.ts';
import { buildSite } from '../site/build.ts';

/** Makes what the service runs from and reads, where it is not of the present sources. */
export async function buildService(root: string): Promise<void> {
  await buildBundle(root);
  await buildSite(root);
}
