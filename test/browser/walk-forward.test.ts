import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { report, walkForward, type WalkForwardResult } from '../../src/backtest.ts';
import { writeRecording } from '../kit/recordings.ts';
import { rows, strategy } from '../research/swing.ts';

const CHROMIUM = '/usr/bin/chromium';
const there = existsSync(CHROMIUM);
if (!there) {
  process.stdout.write(
    `skipped: the page of a walk-forward is not drawn, there is no ${CHROMIUM}\n`,
  );
}

describe.skipIf(!there)('the page of a walk-forward', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-walk-page-'));
  const file = join(folder, 'walk-forward.html');
  let result: WalkForwardResult;
  let context: BrowserContext;

  beforeAll(async () => {
    const strategyFile = join(folder, 'swing.mts');
    writeFileSync(strategyFile, strategy());
    const recording = writeRecording(join(folder, 'BTCUSDT.arrow'), rows());
    result = await walkForward({
      backtest: {
        strategy: strategyFile,
        recordings: [recording],
        balances: { USDT: '10000' },
        sampleEvery: '1s',
      },
      vary: { at: [70, 110, 150], share: ['0.3', '0.6'] },
      objective: 'profit',
      workers: 0,
      train: '60s',
      test: '40s',
      gap: '5s',
    });
    report(result, file);
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: CHROMIUM,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
      offline: true,
      viewport: { width: 1280, height: 900 },
      colorScheme: 'light',
    });
  }, 120_000);

  afterAll(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  async function open(path = file): Promise<{ page: Page; faults: string[] }> {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) faults.push(request.url());
    });
    await page.goto(`file://${path}`);
    await drawn(page);
    return { page, faults };
  }

  test('draws equity and stability, has a row for each fold, and asks nothing of the network', async () => {
    const { page, faults } = await open();
    for (const id of ['equity', 'stability']) {
      expect(await page.evaluate<number>(ink(id)), `pixels of ${id}`).toBeGreaterThan(3_000);
    }
    const { folds, stitched } = result;
    expect(folds.length).toBeGreaterThan(2);
    expect(await page.title()).toBe('Walk-forward of swing on BTCUSDT');
    const cells = await page.locator('#folds tbody tr').allInnerTexts();
    expect(cells).toHaveLength(folds.length);
    for (const [row, { chosen, rank, ranked }] of folds.entries()) {
      const { at, share } = chosen?.parameters ?? {};
      expect(cells[row]).toContain(`at ${String(at)}, share ${String(share)}`);
      expect(cells[row]).toContain(`${String(rank)} of ${ranked}`);
    }
    const big = Number((await page.textContent('.big'))?.replace('−', '-').replace('%', ''));
    expect(big).toBeCloseTo(100 * stitched.totalReturn, 1);
    expect(await page.textContent('main')).toContain('left over at the end');
    expect(faults).toEqual([]);
    await page.close();
  });

  test('picks a fold by keyboard and by click, in the drawing and in the table', async () => {
    const { page, faults } = await open();
    const picked = (): Promise<string | null> =>
      page.locator('#folds tr.linked td').first().textContent();
    const reported = (): Promise<string | null> => page.textContent('#fold-note');
    expect([await picked(), await reported()]).toEqual(['1', expect.stringMatching(/^Fold 1, /)]);
    await page.locator('#equity').focus();
    await page.keyboard.press('ArrowRight');
    await drawn(page);
    expect([await picked(), await reported()]).toEqual(['2', expect.stringMatching(/^Fold 2, /)]);
    await page.locator('#folds').focus();
    await page.keyboard.press('End');
    await drawn(page);
    expect(await picked()).toBe(String(result.folds.length));
    const { width = 0 } = (await page.locator('#equity').boundingBox()) ?? {};
    await page.locator('#equity').click({ position: { x: 12, y: 100 } });
    await drawn(page);
    expect([await picked(), width > 300]).toEqual(['1', true]);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('turns dark at a click, and fits a phone without scrolling sideways', async () => {
    const { page, faults } = await open();
    const image = (): Promise<string> =>
      page.evaluate<string>("document.getElementById('equity').toDataURL()");
    const before = await image();
    await page.click('#theme');
    await drawn(page);
    expect(await image()).not.toBe(before);
    await page.setViewportSize({ width: 390, height: 844 });
    await drawn(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('shows folds that chose nothing, text values, and few points of a long equity', async () => {
    const { stitched, folds, stability } = result;
    const length = 200_000;
    const wave = Float64Array.from({ length }, (_, row) => 1 + Math.sin(row / 900) / 10);
    wave[77_777] = 0.5;
    const odd: WalkForwardResult = {
      ...result,
      stability: [...stability, { name: 'kind', values: [], distinct: 0, spread: null }],
      folds: folds.map((fold, index) => ({
        ...fold,
        trained: fold.trained.map((row) => ({
          ...row,
          parameters: { ...row.parameters, kind: row.index % 2 === 0 ? 'a' : '</script>' },
        })),
        ...(index === 1 ? { chosen: null, outcome: null, rank: null, efficiency: null } : {}),
      })),
      stitched: {
        ...stitched,
        at: Float64Array.from({ length }, (_, row) => (stitched.at[0] ?? 0) + row * 600),
        equity: wave,
        fold: new Int32Array(length),
      },
    };
    const path = report(odd, join(folder, 'odd.html'));
    const text = readFileSync(path, 'utf8');
    expect(text.length).toBeLessThan(500_000);
    const data = JSON.parse(/id="data">(.*?)<\/script>/.exec(text)?.[1] ?? '') as {
      equity: number[];
    };
    expect(data.equity.length).toBeLessThan(4_100);
    expect(Math.min(...data.equity)).toBe(0.5);
    const { page, faults } = await open(path);
    expect(await page.locator('#folds tbody tr').nth(1).innerText()).toContain('none was ranked');
    expect(await page.evaluate<number>(ink('stability'))).toBeGreaterThan(3_000);
    expect(faults).toEqual([]);
    await page.close();
  });
});

/** Waits until what was asked for is drawn. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))',
  );

/** Counts the pixels of a canvas that are drawn. */
const ink = (id: string): string => `(() => {
  const canvas = document.getElementById(${JSON.stringify(id)});
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return new Uint32Array(data.buffer).filter((word) => word !== 0).length;
})()`;
