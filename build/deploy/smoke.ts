/**
 * `npm run smoke -- <url>`: what only a deployed site can show: whether the host in front keeps the promises of the app.
 * Whole files are the business of `npm run verify`; here every kind of answer is asked for once.
 */
import { DATA_CHECKS } from './smoke/data.ts';
import { DELIVERY_CHECKS } from './smoke/delivery.ts';
import { MCP_CHECKS } from './smoke/mcp.ts';
import { expectation, site, Skipped } from './smoke/site.ts';

/** Runs every check against a site and prints one line each; resolves to 0 when none failed, else 1. */
export async function smoke(url: string, ask: typeof fetch, print: (line: string) => void): Promise<number> {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    print('usage: npm run smoke -- https://site.example');
    return 2;
  }
  const asked = site(url, ask);
  let failed = 0;
  for (const [name, check] of [...DELIVERY_CHECKS, ...DATA_CHECKS, ...MCP_CHECKS]) {
    try {
      await check(asked);
      print(`ok   ${name}`);
    } catch (error) {
      if (error instanceof Skipped) {
        print(`skip ${name}: ${error.message}`);
        continue;
      }
      failed += 1;
      print(`FAIL ${name}: ${expectation(error)}`);
    }
  }
  print(failed === 0 ? 'all checks passed' : `${failed} checks failed`);
  return failed === 0 ? 0 : 1;
}
