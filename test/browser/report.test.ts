import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportPage } from '../../src/backtest/report.ts';
import type { OrderRow } from '../../src/backtest/result.ts';
import { walkedResult } from '../kit/backtest-result.ts';

const CHROMIUM = '/usr/bin/chromium';
const there = existsSync(CHROMIUM);
if (!there) {
  process.stdout.write(`skipped: the report page is not drawn, there is no ${CHROMIUM}\n`);
}

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface Ink {
  readonly pixels: number;
  readonly colors: number;
}

describe.skipIf(!there)('the report page in a browser without network', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-report-'));
  const result = walkedResult();
  let context: BrowserContext;

  beforeAll(async () => {
    writeFileSync(join(folder, 'report.html'), reportPage(result));
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: CHROMIUM,
      args: ARGUMENTS,
      offline: true,
      viewport: { width: 1280, height: 900 },
      colorScheme: 'light',
    });
  }, 60_000);

  afterAll(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  /** Opens a page and gives what went wrong and what it asked the network for. */
  async function open(
    name = 'report.html',
    before?: string,
  ): Promise<{ page: Page; faults: string[]; requests: string[] }> {
    const page = await context.newPage();
    if (before !== undefined) await page.addInitScript(before);
    const faults: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url());
    });
    await page.goto(`file://${join(folder, name)}`);
    await drawn(page);
    return { page, faults, requests };
  }

  test('draws price, equity, drawdown and position: no pane is blank, nothing is asked of the network', async () => {
    const { page, faults, requests } = await open();
    const panes = await page.evaluate<Ink[]>(COUNT_INK);
    expect(panes.length, 'panes: price, equity, drawdown, position, plots').toBeGreaterThanOrEqual(
      5,
    );
    for (const [pane, { pixels, colors }] of panes.entries()) {
      expect(pixels, `pixels of pane ${pane} that are not background`).toBeGreaterThan(500);
      expect(colors, `colours in pane ${pane}`).toBeGreaterThan(3);
    }
    expect(faults).toEqual([]);
    expect(requests).toEqual([]);
    await page.close();
  });

  test('the chart of a result without a price or without fills differs from a full one', async () => {
    const { page } = await open();
    const full = await page.evaluate<Ink[]>(COUNT_INK);
    const bare = { ...result, fills: { total: 0, rows: [] }, trades: { total: 0, rows: [] } };
    writeFileSync(join(folder, 'bare.html'), reportPage(bare));
    await page.goto(`file://${join(folder, 'bare.html')}`);
    await drawn(page);
    const without = await page.evaluate<Ink[]>(COUNT_INK);
    expect(full[0].pixels, 'markers of fills add ink to the price pane').toBeGreaterThan(
      without[0].pixels,
    );
    expect(await page.textContent('#trades')).toContain('No round trip was finished.');
    await page.close();
  });

  test('a run without trades has neither gains nor losses in its colours, and axes that can be read', async () => {
    const { series, metrics } = result;
    const same = <T>(value: T): T[] => series.at.map(() => value);
    const idle = {
      ...result,
      fills: { total: 0, rows: [] },
      series: {
        ...series,
        equity: same(metrics.equity.start),
        drawdown: same(0),
        instruments: series.instruments.map((one) => ({ ...one, position: same('0') })),
        plots: [],
      },
    };
    writeFileSync(join(folder, 'idle.html'), reportPage(idle));
    const { page, faults } = await open('idle.html', NOTE_TEXTS);
    const [, equity, drawdown, position] = await page.evaluate<number[]>(COUNT_TONES);
    expect({ equity, drawdown, position }).toEqual({ equity: 0, drawdown: 0, position: 0 });
    const texts = await page.evaluate<string[]>('[...window.texts]');
    expect(texts.filter((each) => /\de[-+]\d/.test(each))).toEqual([]);
    expect(texts).toEqual(expect.arrayContaining(['9,900.00', '10,100.00', '-1.00%', '0', '1']));
    expect(faults).toEqual([]);
    await page.close();
  });

  test('the drawdown is coloured below zero only', async () => {
    const { page } = await open();
    const [, , tones] = await page.evaluate<number[]>(COUNT_TONES);
    expect(tones, 'pixels of losses in the pane of the drawdown').toBeGreaterThan(500);
    expect(await page.evaluate<number>(TOP_INK), 'colours in its topmost line').toBe(1);
    await page.close();
  });

  test('lists each fill and each round trip, and sorts them by their exact figures', async () => {
    const { page } = await open();
    await page.click('[aria-controls=fills]');
    expect(await page.locator('#fills tbody tr').count()).toBe(result.fills.rows.length);
    expect(await page.locator('#fills').isVisible()).toBe(true);
    await page.click('[aria-controls=trades]');
    expect(await page.locator('#trades tbody tr').count()).toBe(result.trades.rows.length);
    expect(await page.locator('#fills').isVisible()).toBe(false);
    await page.click('#trades th button:text-is("Net")');
    const keys = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#trades tbody tr')].map((row) => row.cells[3].dataset.key)`,
    );
    const expected = result.trades.rows.map(({ net }) => net).sort((a, b) => Number(a) - Number(b));
    expect(keys).toEqual(expected);
    await page.close();
  });

  test('leads from a fill to its order, and shows the orders of its list together', async () => {
    const [{ order }] = result.fills.rows;
    const leg = (name: string, listIndex: number): OrderRow => ({
      sentAt: result.plan.from,
      triggeredAt: result.plan.from,
      endedAt: result.plan.from,
      symbol: 'BTCUSDT',
      order: name,
      replaces: null,
      list: order,
      contingencyType: 'oneCancelOther',
      listIndex,
      side: 'buy',
      type: 'stopLimit',
      timeInForce: 'GTC',
      price: '61000',
      stopPrice: '60900',
      takeRate: null,
      makeRate: null,
      size: '0.01',
      filled: '0',
      status: 'canceled',
    });
    const alone = { ...leg('alone-001', 0), list: null, contingencyType: null, listIndex: null };
    const rows = [alone, leg(order, 0), leg('breakout-bracket-0000002', 1)];
    const listed = { ...result, orderHistory: { total: rows.length, rows } };
    writeFileSync(join(folder, 'listed.html'), reportPage(listed));
    const { page, faults } = await open('listed.html');
    await page.click('[aria-controls=fills]');
    await page.click('#fills tbody tr:first-child a');
    expect(await page.locator('#orders').isVisible()).toBe(true);
    expect(await page.locator('#fills').isVisible()).toBe(false);
    const linked = await page.evaluate<string[]>(
      `[...document.querySelectorAll('tr.linked')].map((row) => row.id)`,
    );
    expect(linked).toEqual([`order-${order}`, 'order-breakout-bracket-0000002']);
    const hidden = await page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#orders .scroll'))`,
    );
    expect(hidden, 'pixels of the orders that do not fit').toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('saves the shown table as CSV with exact figures', async () => {
    const { page } = await open();
    await page.click('[aria-controls=fills]');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.csv')]);
    const stream = await download.createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
    expect(lines.length).toBe(result.fills.rows.length + 1);
    const [first] = result.fills.rows;
    expect(lines[1]).toContain(`${first.at},${first.side},${first.price},${first.size}`);
    await page.close();
  });

  test('text of the run cannot become markup or end the script that carries it', async () => {
    const { page, faults } = await open();
    expect(await page.locator('main b').count()).toBe(0);
    expect(await page.textContent('main')).toContain(String(result.strategy.parameters.note));
    expect(faults).toEqual([]);
    await page.close();
  });

  test('turns dark at a click, chart included, and fits a phone without scrolling sideways', async () => {
    const { page, faults } = await open();
    const light = await background(page);
    await page.click('#theme');
    await drawn(page);
    const dark = await background(page);
    expect(dark).not.toBe(light);
    await page.setViewportSize({ width: 390, height: 844 });
    await drawn(page);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(390);
    expect(faults).toEqual([]);
    await page.close();
  });
});

/** Waits until the chart is there and two looks at it, frames apart, see the same. */
async function drawn(page: Page): Promise<void> {
  await page.waitForSelector('#chart canvas');
  for (let before = ''; ;) {
    const now = JSON.stringify(await page.evaluate(INK_OF_NEXT_FRAMES));
    if (now === before) return;
    before = now;
  }
}

const background = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const canvas = document.querySelector('#chart td:nth-child(2) canvas');
    return [...canvas.getContext('2d').getImageData(5, canvas.height - 5, 1, 1).data].join();
  })()`);

/** Runs in the page: the ink of each pane, counted on the canvases of its middle column. */
const COUNT_INK = `(() =>
  [...document.querySelectorAll('#chart tr')].flatMap((row) => {
    const canvases = [...(row.children[1]?.querySelectorAll('canvas') ?? [])];
    if (canvases.length === 0 || row.offsetHeight < 40) return [];
    const colors = new Set();
    let pixels = 0;
    for (const canvas of canvases) {
      if (canvas.width === 0 || canvas.height === 0) continue;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const words = new Uint32Array(data.buffer);
      const blank = words[words.length - 1];
      for (const word of words) {
        if (word !== blank && word !== 0) {
          pixels += 1;
          colors.add(word);
        }
      }
    }
    return [{ pixels, colors: colors.size }];
  }))()`;

/** Runs in the page: the same, once what is asked for now is drawn, and what that asks for. */
const INK_OF_NEXT_FRAMES = `new Promise((done) => {
  const frame = globalThis.requestAnimationFrame;
  frame(() => frame(() => frame(() => done([innerWidth, ...${COUNT_INK}]))));
})`;

/** Runs before the page: keeps what is written on canvases. */
const NOTE_TEXTS = `(() => {
  window.texts = new Set();
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    window.texts.add(text);
    return fillText.call(this, text, ...rest);
  };
})()`;

/** Runs in the page: pixels of each pane that are clearly green or red, those of gains and losses. */
const COUNT_TONES = `(() =>
  [...document.querySelectorAll('#chart tr')].flatMap((row) => {
    const canvases = [...(row.children[1]?.querySelectorAll('canvas') ?? [])];
    if (canvases.length === 0 || row.offsetHeight < 40) return [];
    let tones = 0;
    for (const canvas of canvases) {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let i = 0; i < data.length; i += 4) {
        const [red, green, blue, opaque] = data.subarray(i, i + 4);
        const isGreen = green - red > 20 && green - blue > 20;
        const isRed = red - green > 20 && red - blue > 20;
        if (opaque > 0 && (isGreen || isRed)) tones += 1;
      }
    }
    return [tones];
  }))()`;

/** Runs in the page: how many colours there are in the topmost line of the drawdown's pane. */
const TOP_INK = `(() => {
  const panes = [...document.querySelectorAll('#chart tr')].filter((row) => row.offsetHeight >= 40);
  const canvas = panes[2].children[1].querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 1, canvas.width, 1);
  return new Set(new Uint32Array(data.buffer)).size;
})()`;
