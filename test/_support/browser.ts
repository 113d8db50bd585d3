/**
 * Chromium for tests of pages, as `browserPath` finds it. Where there is none the tests of the file are skipped, and the run's
 * closing lines say why.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, onTestFailed } from 'vitest';
import { startServer } from '../../shim/node.ts';
import { browserPath } from './browser-path.ts';
import { builtTree, TEST_SITE } from './tree.ts';

const NONE =
  'no Chromium found: install it (apt-get install chromium-headless-shell, or chromium) or set CHROMIUM_PATH to run the tests of pages';

/** The script of axe-core, which looks for what keeps people from using a page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page and everything the browser said about it: console messages, errors, blocked loads. */
export interface Opened {
  page: Page;
  messages: string[];
}

/** How a window is opened: with axe-core in its pages; `made` is a page of the test at the address that is opened. */
export interface Opening extends BrowserContextOptions {
  axe?: boolean;
  made?: { html: string; headers?: Record<string, string> };
}

/** The site in a browser. */
export interface BrowserSite {
  /** Address of the site root, with `/` at its end; known once tests run. */
  url(): string;
  /** Opens a path of the site in a window that the test has for itself. */
  open(path: string, options?: Opening): Promise<Opened>;
}

/** Serves a tree by the real server and opens its pages in one Chromium, for the tests of a file or of a `describe`. */
export function inBrowser(root: () => string = builtTree): BrowserSite {
  const path = browserPath();
  let browser: Browser | undefined;
  let server: { url: string; close(): Promise<void> } | undefined;
  /** The windows of tests before that are as new, by the options they were opened with: a new process takes ten times as long. */
  const free = new Map<string, Page>();
  /** Those of the present test. */
  const taken = new Map<Page, Opening>();
  const url = (): string => `${(server?.url ?? '').replace(/\/$/, '')}/`;

  beforeAll(async () => {
    if (path === null) return;
    server = await startServer(root(), { SITE_URL: TEST_SITE, PORT: '0' });
    // The sandbox of Chromium does not start under root, as in a container.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath: path, args });
  });
  beforeEach((context) => {
    if (path === null) context.skip(NONE);
  });
  afterEach(async () => {
    for (const [page, options] of taken) {
      const key = JSON.stringify(options);
      if (!free.has(key) && (await isAsNew(page, options))) free.set(key, page);
    }
    taken.clear();
    const kept = new Set([...free.values()].map((page) => page.context()));
    const others = browser?.contexts().filter((context) => !kept.has(context)) ?? [];
    await Promise.all(others.map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  return {
    url,
    async open(target, { made, ...options } = {}) {
      if (!browser) throw new Error(NONE);
      const key = JSON.stringify(options);
      const page = free.get(key) ?? (await newPage(browser, options));
      free.delete(key);
      taken.set(page, options);
      const messages = listenTo(page);
      const trace = listenToAll(page);
      onTestFailed(() =>
        console.error(['What the page said:', ...messages, 'What it did:', ...trace].join('\n')),
      );
      const address = new URL(target, url()).href;
      if (made)
        await page.route(address, (route) =>
          route.fulfill({
            contentType: 'text/html; charset=utf-8',
            headers: made.headers ?? {},
            body: made.html,
          }),
        );
      await page.goto(address);
      // A browser drops clicks and keys before the first paint, which may come after the page is loaded.
      if (options.javaScriptEnabled !== false)
        await page
          .evaluate(
            `new Promise((seen) => new PerformanceObserver(() => seen()).observe({ type: 'paint', buffered: true }))`,
          )
          .catch((error: unknown) => {
            // One that leads on at once is never seen.
            if (!/navigation/.test(String(error))) throw error;
          });
      return { page, messages };
    },
  };
}

async function newPage(browser: Browser, { axe = false, ...options }: Opening): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(60_000);
  if (axe) await context.addInitScript({ content: AXE });
  return context.newPage();
}

/** What a page requests, gets and goes to from now on, for a test that fails. */
function listenToAll(page: Page): string[] {
  const trace: string[] = [];
  page.on('framenavigated', (frame) => trace.push(`at ${frame.url()}`));
  page.on('request', (request) => trace.push(`${request.method()} ${request.url()}`));
  page.on('response', (response) => trace.push(`${response.status()} ${response.url()}`));
  return trace;
}

/** The size of a window where a test asks for none, as Playwright has it. */
const SIZE = { width: 1280, height: 720 };

/** The most entries of a history after which a window is used again: browsers stop counting at 50. */
const MOST_ENTRIES = 20;

/** Takes back what a test changed of its window; false where the next one could notice. */
async function isAsNew(page: Page, options: BrowserContextOptions): Promise<boolean> {
  if (page.isClosed() || page.context().pages().length !== 1) return false;
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
  if (Number(await page.evaluate('history.length')) > MOST_ENTRIES) return false;
  const { viewport, colorScheme, reducedMotion, forcedColors } = options;
  await page.setViewportSize(viewport ?? SIZE);
  await page.emulateMedia({
    media: null,
    colorScheme: colorScheme ?? 'light',
    reducedMotion: reducedMotion ?? 'no-preference',
    forcedColors: forcedColors ?? 'none',
  });
  return true;
}

/** Everything a page reports from now on. */
function listenTo(page: Page): string[] {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => messages.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left stops what it was loading.
    if (reason !== 'net::ERR_ABORTED') messages.push(`failed: ${request.url()} ${reason}`);
  });
  return messages;
}
