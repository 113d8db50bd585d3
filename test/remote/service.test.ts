/** A service without data of its own: the same responses as over a folder, read from a host of files that may fail or lie. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, createService, type Service } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { ANSWERED, REFUSED } from '../contract/cases.ts';
import { fileServer, type FileServer, type FileServerOptions } from '../_support/file-server.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';

let near: Service;
const servers: FileServer[] = [];
beforeAll(() => {
  const settings = serverSettings({ SITE_URL: TEST_SITE });
  near = createService({ root: builtTree(), settings, files: false });
});
afterAll(() => {
  for (const server of servers) server.close();
});

async function host(options: FileServerOptions = {}): Promise<FileServer> {
  const server = await fileServer(builtTree(), options);
  servers.push(server);
  return server;
}

async function far({ url }: FileServer, report = (_: unknown): void => undefined): Promise<Service> {
  const settings = serverSettings({ SITE_URL: TEST_SITE, DATA_FROM: url });
  return openService({ root: '', settings, files: false, report });
}

async function said(service: Service, target: string): Promise<string> {
  const response = await service.fetch(new Request(`${TEST_SITE}${target}`));
  const headers = ['etag', 'cache-control', 'retry-after', 'link', 'content-type'].map((name) =>
    response.headers.get(name),
  );
  return `${response.status} ${headers.join(' ')}\n${await response.text()}`;
}

const PAGES = [
  '/explore/?indicator=dge&from=2018&view=map',
  '/explore/?indicator=seizures&geo=MEX&answer',
  '/compare/?a=indicator%3Dseizures%26geo%3DMEX&b=indicator%3Dseizures%26geo%3DBEL',
  '/designations/?query=trading',
  '/designations/999999999',
  '/search/?q=cocaine+belgium',
  '/r/nope',
  '/download/atlas.excel.csv?iso3=MEX',
  '/download/market-observations.csv?dataset=arms',
  '/download/market-observations.csv?geo=MEX',
];

test('every response is that of a service over a folder', async () => {
  const reported: unknown[] = [];
  const service = await far(await host(), (error) => void reported.push(error));
  const targets = [...REFUSED, ...ANSWERED].map(([, target]) => target);
  for (const target of [...targets, ...PAGES])
    for (const _twice of [1, 2]) expect(await said(service, target), target).toBe(await said(near, target));
  expect(reported).toEqual([]);
});
