/**
 * A server in a process of its own, since trust is read at start: NODE_EXTRA_CA_CERTS names the stand-in's authority. The argument is
 * the tree, settings come from the environment; prints its address and serves until its standard input ends.
 */
import { startServer } from '../../shim/node.ts';

const server = await startServer(process.argv[2] ?? 'public', process.env);
console.log(server.url);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
