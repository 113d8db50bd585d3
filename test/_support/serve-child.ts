/** A server in a process of its own, as `npm start` runs it: the tree is the argument, settings come from the environment. */
import { runServer } from '../../shim/node.ts';

await runServer(process.argv[2] ?? 'public', process.env);
