import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openVenue, type TestVenue } from '../server/kit.ts';

const CHROMIUM = '/usr/bin/chromium';
const there = existsSync(CHROMIUM);
if (!there)
  process.stdout.write(`skipped: the page of calls is not drawn, there is no ${CHROMIUM}\n`);

describe.skipIf(!there)('the page of calls and sockets', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-docs-'));
  let context: BrowserContext;

  beforeAll(async () => {
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: CHROMIUM,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      viewport: { width: 1280, height: 900 },
    });
  }, 60_000);

  afterAll(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  /** Opens the page of a new venue; gives what went wrong and whom it asked. */
  async function open(
    hash = '',
  ): Promise<{ venue: TestVenue; page: Page; faults: string[]; strangers: string[] }> {
    const venue = await openVenue();
    const page = await context.newPage();
    const faults: string[] = [];
    const strangers: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(venue.base) && !url.startsWith('data:')) strangers.push(url);
    });
    await page.goto(`${venue.base}/docs${hash}`);
    await page.waitForSelector('#calls section');
    return { venue, page, faults, strangers };
  }

  test('lists every call and socket, and asks nobody but the venue', async () => {
    const { page, faults, strangers, venue } = await open();
    const { body } = await venue.call('GET', '/openapi.json');
    const { paths } = body as { readonly paths: Readonly<Record<string, object>> };
    const calls = Object.values(paths).flatMap((verbs) => Object.keys(verbs));
    expect(await page.locator('details[id^=call-]').count()).toBe(calls.length);
    expect(await page.locator('details[id^=socket-]').count()).toBeGreaterThan(100);
    expect(await page.getByRole('heading', { name: '/api/3/ws/trading' }).count()).toBe(1);
    expect(faults).toEqual([]);
    expect(strangers).toEqual([]);
    await page.close();
  });

  test('opens what its address names, with parameters, answer and links to records', async () => {
    const { page, faults } = await open('#call-createSpotOrder');
    const call = page.locator('#call-createSpotOrder');
    expect(await call.getAttribute('open')).not.toBeNull();
    const words = await call.innerText();
    for (const word of ['client_order_id', 'time_in_force', 'required', 'Needs a key']) {
      expect(words).toContain(word);
    }
    await page.click('#call-createSpotOrder a[href="#record-Order"]');
    await page.waitForSelector('#record-Order[open]');
    expect(await page.innerText('#record-Order')).toContain('quantity_cumulative');
    expect(faults).toEqual([]);
    await page.close();
  });

  test('shows a socket method with its params, and a feed with its frames', async () => {
    const { page, faults } = await open('#socket-v3-trading.spot_new_order');
    const words = await page.innerText('[id="socket-v3-trading.spot_new_order"]');
    for (const word of ['params', 'strict_validate', 'Reply']) expect(words).toContain(word);
    await page.fill('#filter', 'candles/M1');
    const feed = page.locator('[id="socket-v3-public.feed.candles.M1"]');
    await feed.locator('summary').click();
    await feed.locator('table').first().waitFor();
    const reported = await feed.innerText();
    for (const word of ['snapshot', 'update', 'Unix milliseconds'])
      expect(reported).toContain(word);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('shows the members of each way that params may be written', async () => {
    const { page, faults } = await open('#socket-v3-trading.login');
    const words = await page.innerText('[id="socket-v3-trading.login"]');
    for (const word of ['secret_key', 'timestamp', 'signature']) expect(words).toContain(word);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('shows what all words of the filter are in, and nothing else', async () => {
    const { page } = await open();
    await page.fill('#filter', 'post spot order list');
    const visible = page.locator('details:visible');
    expect(await visible.count()).toBeGreaterThan(0);
    for (const text of await visible.allInnerTexts()) {
      expect(text.toLowerCase()).toMatch(/spot/);
    }
    await page.fill('#filter', 'no such call');
    expect(await visible.count()).toBe(0);
    await page.close();
  });

  test('sends a call with the key and shows the answer', async () => {
    const { page, faults, venue } = await open('#call-createSpotOrder');
    await page.fill('#key', 'demo');
    await page.fill('#secret', 'demo-secret');
    const call = page.locator('#call-createSpotOrder');
    await call.locator('textarea').fill(
      JSON.stringify({
        symbol: 'BTCUSDT',
        side: 'buy',
        quantity: '0.001',
        price: '60000',
        client_order_id: 'from-the-page',
      }),
    );
    await call.getByRole('button', { name: 'Send POST' }).click();
    // A locator asks from outside: the page's policy refuses a condition that it would have to evaluate.
    await call.locator('pre', { hasText: 'from-the-page' }).waitFor();
    expect(await call.locator('pre').innerText()).toMatch(/^200 OK\n[\s\S]*"status": "new"/);
    const { body } = await venue.call('GET', '/api/3/spot/order', { as: 'demo' });
    expect(body).toMatchObject([{ client_order_id: 'from-the-page' }]);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('reads on a phone without scrolling sideways', async () => {
    const { page } = await open('#call-createSpotOrder');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.close();
  });
});
