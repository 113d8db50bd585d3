/** Validation of documents that others made. A bundle compiles their schemas apart: they are large, and a first response needs none. */
export { validator } from './schema.ts';
