import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRotation } from '../../../src/bot/recorder/rotation.ts';
import { LEVEL, RESET, TRADE } from '../../../src/model/events.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { frameLines } from '../../kit/frame-lines.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { Bench, kinds, START } from './bench.ts';

describe('a crash', () => {
  test('costs no more than what came after the last flush', async () => {
    const bench = new Bench({ raw: true });
    await bench.recorder.open();
    bench.snapshot(5);
    bench.trade(100);
    bench.market.listener?.frame?.('{"a":1}', START);
    bench.pass(5 * US_PER_SECOND);
    bench.trade(101);
    bench.market.listener?.frame?.('{"a":2}', START);
    // The process is gone: nothing is finished, nothing more is written.
    const next = new Bench({ folder: bench.folder }, micros(START + 60 * US_PER_SECOND));
    await next.recorder.open();
    expect(next.notes).toEqual([
      'recovered BTCUSDT-20260105T105950Z.arrow',
      'recovered frames-20260105T105950Z.ndjson.zst',
    ]);
    expect(kinds(next.rows('BTCUSDT-20260105T105950Z.arrow'))).toEqual([
      RESET,
      LEVEL,
      LEVEL,
      TRADE,
    ]);
    expect(frameLines(join(bench.folder, 'frames-20260105T105950Z.ndjson.zst'))).toEqual([
      { receivedAt: START, frame: '{"a":1}' },
    ]);
    next.trade(102);
    await next.recorder.close();
    expect(next.files).toHaveLength(3);
  });

  test('in the middle of a write leaves the whole parts before it', async () => {
    const bench = new Bench({ raw: true });
    await bench.recorder.open();
    for (const frame of ['one', 'two']) {
      bench.market.listener?.frame?.(frame, START);
      bench.pass(5 * US_PER_SECOND);
    }
    const part = join(bench.folder, 'frames-20260105T105950Z.ndjson.zst.part');
    const { length } = readFileSync(part);
    truncateSync(part, length - 1);
    const next = new Bench({ folder: bench.folder });
    await next.recorder.open();
    expect(frameLines(part.slice(0, -5)).map(({ frame }) => frame)).toEqual(['one']);
    expect(existsSync(part)).toBe(false);
    await next.recorder.close();
  });

  test('what cannot be recovered is reported and left', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.arrow.part'), 'nothing');
    writeFileSync(join(folder, 'b.ndjson.zst.part'), 'nothing');
    writeFileSync(join(folder, 'b.ndjson.zst'), 'taken');
    writeFileSync(join(folder, 'c.txt.part'), 'not ours');
    const bench = new Bench({ folder });
    await bench.recorder.open();
    expect(bench.notes).toEqual(['left a.arrow.part', 'left b.ndjson.zst.part']);
    await bench.recorder.close();
    expect(bench.files).toHaveLength(4);
  });
});

describe('frames', () => {
  test('are kept as they came, a JSON line each, and rotate', async () => {
    const bench = new Bench({ raw: true, rotation: parseRotation('1h') });
    await bench.recorder.open();
    const frames = ['{"ch":"trades"}', 'ü "quoted"\n', 'x'.repeat(1 << 20), 'after'];
    for (const frame of frames) bench.market.listener?.frame?.(frame, micros(bench.now));
    bench.pass(10 * US_PER_SECOND);
    bench.market.listener?.frame?.('next hour', micros(bench.now));
    await bench.recorder.close();
    const [first, second] = bench.files.map((name) => frameLines(join(bench.folder, name)));
    expect(first).toEqual(frames.map((frame) => ({ receivedAt: START, frame })));
    expect(second).toEqual([{ receivedAt: START + 10 * US_PER_SECOND, frame: 'next hour' }]);
    expect(bench.recorder.status.frames).toBe(5);
    expect(bench.notes).toContain('finished frames-20260105T105950Z.ndjson.zst 4');
  });

  test('a file of frames ends with its hour too', async () => {
    const bench = new Bench({ raw: true, rotation: parseRotation('1h') });
    await bench.recorder.open();
    bench.market.listener?.frame?.('one', START);
    bench.pass(15 * US_PER_SECOND);
    expect(bench.files).toEqual(['frames-20260105T105950Z.ndjson.zst']);
    await bench.recorder.close();
  });
});
