/**
 * The explorer on a copy of the files without the service: the core of the service runs here, over a release of which the parts that a
 * query needs are read from the copy and checked. Loaded by explore.ts where it is needed.
 */
import { explore } from '../../../../shim/core/explore.ts';
import type { Exploration } from '../../../../shim/core/explore-answer.ts';
import { openRemote, type RemoteRelease } from '../../../../shim/remote/release.ts';
import { httpSource } from '../../../../shim/remote/source.ts';

/** Opens the copy whose root is `root`; what it gives answers an address of the explorer, and says where the records were read. */
export function openMirror(root: URL): (search: string) => Promise<{ model: Exploration; read: string }> {
  const settings = { siteUrl: root.href.replace(/\/$/, '') };
  let remote: RemoteRelease | null = null;
  return async (search) => {
    remote ??= await openRemote(httpSource(root));
    const { release } = remote;
    let unexpected: unknown = null;
    const model = await remote.settled(() =>
      explore(search, { settings, release }, (error) => {
        unexpected = error;
      }),
    );
    if (model.fault?.code === 'internal_error') throw unexpected;
    return { model, read: sentence(model) };
  };
}

function sentence({ answer }: Exploration): string {
  const files = (answer?.datasets ?? []).flatMap((dataset) => dataset?.path.slice(1) ?? []);
  const from = files.length === 0 ? 'its published documents' : files.join(', ');
  return `This is a copy of the files without the service: this page was made in your browser from ${from} of this copy. What was read was checked.`;
}
