/** Static pages: every operation's pre-rendered inputs through the same call that serves requests. */
import type { Tree } from '../../lib/tree.ts';
import type { BuildEffects } from '../../lib/effects.ts';
import { call } from '../../../shim/core/call.ts';
import { successBody } from '../../../shim/core/envelope.ts';
import { Fault } from '../../../shim/core/faults.ts';
import { pagePath } from '../../../shim/core/paths.ts';
import type { Context, Input, Operation } from '../../../shim/core/types.ts';

/** Adds every page worth writing, or the first of each resource. Any failure stops the build, except evidence that is unavailable. */
export async function addPages(
  tree: Tree,
  operations: Operation[],
  context: Context,
  { all = true, turn }: { all?: boolean } & Pick<BuildEffects, 'turn'>,
): Promise<void> {
  const report = (error: unknown): void => {
    if (!(error instanceof Fault)) throw error;
  };
  for (const operation of operations) {
    const { name } = operation;
    for (const input of inputsOf(operation, context)) {
      const { cursor } = input;
      if (!all && cursor !== undefined) continue;
      await turn();
      const result = await call(operation, input, context, report);
      if (!result.ok && result.fault.code === 'unavailable') continue;
      if (!result.ok) throw new Error(`${name} ${JSON.stringify(input)} failed: ${result.fault.message}`);
      const path = pagePath(name, typeof cursor === 'string' ? cursor : undefined);
      tree.add([{ path, bytes: successBody(name, result.payload) }]);
    }
  }
}

/** The inputs worth a page; none while the evidence they are counted from is unavailable. */
function inputsOf(operation: Operation, context: Context): Input[] {
  try {
    return operation.prerender(context);
  } catch (error) {
    if (error instanceof Fault && error.code === 'unavailable') return [];
    throw error;
  }
}
