import { join } from 'node:path';
import { EMPTY } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runBacktest } from '../../src/backtest/run.ts';
import { LAST, TRADE } from '../../src/model/events.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording } from '../kit/recordings.ts';

test('a recording of futures is refused, not traded as spot', async () => {
  const strategy = defineStrategy({
    name: 'idle',
    summary: 'For tests.',
    parameters: z.object({}),
    run: () => EMPTY,
  });
  const { terms } = instrumentOf({ type: 'futures', contractSize: '0.01' });
  const path = writeRecording(
    join(temporaryFolder(), 'swap.arrow'),
    [[0, 0, TRADE, LAST, 1, 100, 1, 0, 0, 0]],
    eventsMeta({ instrument: terms }),
  );
  const plan = { strategy, parameters: {}, recordings: [path], balances: { USDT: '1000' } };
  await expect(runBacktest(plan)).rejects.toMatchObject({
    code: 'futures-unsupported',
    where: path,
    message: expect.stringContaining('BTCUSDT is futures with contracts of 0.01 BTC') as string,
  });
});
