// Runs beside an installed client, as a copy: connects, lists the tools, calls each, reads a resource. A line of the output that begins
// with "outcome " is what came of it, for clients print more even when they are closed; the adapter next to it translates to the client's own names.
import { connect } from './adapter.mjs';

const { url, calls, uri } = JSON.parse(process.argv[2]);
const outcome = { tools: [], texts: {}, resource: null, failure: null };
try {
  const client = await connect(url);
  outcome.tools = await client.tools();
  for (const [name, args] of calls) outcome.texts[name] = await client.call(name, args).catch(String);
  if (client.read) outcome.resource = await client.read(uri).catch(String);
  await client.close?.();
} catch (error) {
  outcome.failure = String(error?.message ?? error);
}
process.stdout.write(`\noutcome ${JSON.stringify(outcome)}\n`, () => process.exit(0));
