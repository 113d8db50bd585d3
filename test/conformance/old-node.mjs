// The conformance tool imports `globSync` of node:fs, which Node 20 does not have; only its SDK audit uses it. Loaded with
// --import, this gives the import something to bind to.
import { register } from 'node:module';

const FS = `
  export * from 'node:fs';
  export { default } from 'node:fs';
  export function globSync() { throw new Error('globSync needs Node 22'); }
`;
const HOOKS = `
  const FS = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(FS)}`)};
  export function resolve(specifier, context, next) {
    const ours = specifier === 'fs' && context.parentURL?.includes('/conformance/dist/');
    return ours ? { url: FS, shortCircuit: true } : next(specifier, context);
  }
`;
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
