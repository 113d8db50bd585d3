/** Starts the second thread: the loader of TypeScript first, wherever the build was started from. */
import { register } from 'tsx/esm/api';

register();
await import('./second-thread-worker.ts');
