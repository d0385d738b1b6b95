import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { TestApplication } from './application';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Without what an unattended browser does on its own account. Root may not use the sandbox. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

/** The program of CHROMIUM, else the first of its usual names on the PATH. Throws when there is none. */
function chromiumProgram(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const candidates = [
    process.env['CHROMIUM'] ?? '',
    ...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))),
  ];
  const found = candidates.find((candidate) => candidate !== '' && fs.existsSync(candidate));
  if (found === undefined)
    throw new Error(
      `browser tests need Chromium: none of ${NAMES.join(', ')} is on the PATH (or set CHROMIUM)`,
    );
  return found;
}

const AXE = fs.readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** In the browser, which TypeScript knows nothing of here. */
const AXE_RUN = `axe.run(document).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;

interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained about: scripts, the content policy. */
  readonly complaints: readonly string[];
}

/** One browser for all tests of a file; each has a window of its own, without cookies of the others. */
export class TestBrowser {
  private running: Browser | undefined;
  private readonly open: BrowserContext[] = [];

  async start(): Promise<void> {
    this.running = await chromium.launch({ executablePath: chromiumProgram(), args: ARGUMENTS });
  }

  async stop(): Promise<void> {
    await this.running?.close();
  }

  /** A window on an application; addresses without a host mean that. */
  async window(app: TestApplication): Promise<Tab> {
    if (!this.running) throw new Error('the browser runs inside tests only');
    const context = await this.running.newContext({ baseURL: app.url });
    this.open.push(context);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text());
    });
    return { page, context, complaints };
  }

  async closeWindows(): Promise<void> {
    await Promise.all(this.open.splice(0).map((context) => context.close()));
  }
}

/** What axe finds wrong with the accessibility of the page as it stands. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // By the debugger's way in: the page's own policy lets no script in.
  await page.evaluate(AXE);
  return page.evaluate<string[]>(AXE_RUN);
}

/** A browser that is started and stopped with the tests of a file. */
export function useBrowser(): TestBrowser {
  const browser = new TestBrowser();
  beforeAll(() => browser.start());
  afterEach(() => browser.closeWindows());
  afterAll(() => browser.stop());
  return browser;
}
