import { describe, expect, test } from 'vitest';
import { hostCheck, originCheck, urlOf } from '../../shim/core/hosts.ts';
import { serverSettings } from '../../shim/settings.ts';

describe('[SETTINGS] MCP_ALLOWED_HOSTS and MCP_ALLOWED_ORIGINS', () => {
  test.each([
    'not a host!!',
    '',
    ...`, a.example, http:// https://a.example:99999999 a.example:99999 https://a.example/path https://a.example?x
      user:secret@a.example https://user:secret@a.example *.example ftp://a.example 999.1.1.1 [::1`.split(
      /\s+/,
    ),
  ])('neither takes %j, and one line names the setting', (value) => {
    for (const name of ['MCP_ALLOWED_HOSTS', 'MCP_ALLOWED_ORIGINS']) {
      const start = (): unknown => serverSettings({ [name]: value });
      expect(start).toThrow(new RegExp(`^${name} is "[^\\n]*": expected [^\\n]*$`));
      expect(start).not.toThrow(/secret/);
    }
  });

  test('a host entry is not an origin', () => {
    expect(() => serverSettings({ MCP_ALLOWED_HOSTS: 'https://a.example' })).toThrow('MCP_ALLOWED_HOSTS');
  });

  test('names, ports and origins are taken as they are', () => {
    const hosts = 'a.example, b.example:8443,127.0.0.1,[::1]:3000,münchen.example';
    const origins = `${hosts},https://app.example:8443,http://[::1],moz-extension://a-b`;
    const settings = serverSettings({ MCP_ALLOWED_HOSTS: hosts, MCP_ALLOWED_ORIGINS: origins });
    expect(settings.mcpAllowedHosts).toEqual(hosts.split(',').map((entry) => entry.trim()));
    expect(settings.mcpAllowedOrigins).toEqual(origins.split(',').map((entry) => entry.trim()));
  });

  test('by default the site and loopback, at any port', () => {
    const { mcpAllowedHosts, mcpAllowedOrigins } = serverSettings({ SITE_URL: 'https://site.example' });
    const host = hostCheck(mcpAllowedHosts);
    const origin = originCheck(mcpAllowedOrigins);
    for (const name of ['site.example', 'localhost', '127.0.0.1', '[::1]', 'LOCALHOST', '[0:0:0:0:0:0:0:1]'])
      for (const port of ['', ':80', ':5173']) {
        expect(host(name + port)).toBe(true);
        for (const scheme of ['http', 'https']) expect(origin(`${scheme}://${name}${port}`)).toBe(true);
      }
  });
});

type Row = [entry: string, header: string | null, admitted: boolean];

test.each<Row>([
  ['a.example', 'a.example', true],
  ['a.example', 'A.Example:9', true],
  ['a.example', 'b.a.example', false],
  ['a.example', 'a.example.evil.example', false],
  ['a.example', 'user@a.example', false],
  ['a.example', 'user:a.example', false],
  ['a.example', 'a.example/path', false],
  ['a.example', 'a.example:', false],
  ['a.example', 'a.example, a.example', false],
  ['a.example', '', false],
  ['a.example', null, false],
  ['a.example:8443', 'a.example:8443', true],
  ['a.example:8443', 'a.example:08443', true],
  ['a.example:8443', 'a.example', false],
  ['a.example:8443', 'a.example:9', false],
  ['a.example:443', 'a.example', true],
  ['[::1]:3000', '[::1]:3000', true],
  ['[::1]:3000', '[::1]:3001', false],
])('[MCP-ROUTING] the entry %j and Host %j: %j', (entry, header, admitted) => {
  expect(hostCheck([entry])(header)).toBe(admitted);
});

test.each<Row>([
  ['a.example', null, true],
  ['a.example', 'http://a.example:9', true],
  ['a.example', 'https://a.example', true],
  ['a.example', 'https://user@a.example', false],
  ['a.example', 'a.example', false],
  ['a.example', 'null', false],
  ['a.example', 'file://', false],
  ['a.example:8443', 'http://a.example:8443', true],
  ['a.example:8443', 'https://a.example', false],
  ['https://app.example:8443', 'https://app.example:8443', true],
  ['https://app.example:8443/', 'https://app.example:8443', true],
  ['https://app.example:8443', 'https://app.example:9', false],
  ['https://app.example:8443', 'http://app.example:8443', false],
  ['https://app.example:8443', 'http://app.example:9', false],
  ['https://app.example', 'https://app.example', true],
  ['https://app.example', 'https://app.example:443', true],
  ['https://app.example', 'https://app.example:8443', false],
  ['https://app.example', 'http://app.example', false],
  ['moz-extension://a-b', 'moz-extension://a-b', true],
  ['moz-extension://a-b', 'https://a-b', false],
])('[MCP-ROUTING] the entry %j and Origin %j: %j', (entry, header, admitted) => {
  expect(originCheck([entry])(header)).toBe(admitted);
});

test('an address with letters outside ASCII is one, however often that was asked', () => {
  let refused = 0;
  for (let times = 0; times < 50_000; times += 1) if (!urlOf('https://bücher.example/é')) refused += 1;
  expect(refused).toBe(0);
  expect(urlOf('https://a b')).toBeNull();
});
