import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBacktestConfig } from '../../src/backtest/config/config.ts';
import { marginTerms } from '../../src/backtest/config/margin.ts';
import { temporaryFolder } from '../kit/recordings.ts';

function read(margin: string) {
  const path = join(temporaryFolder(), 'backtest.yaml');
  const head = 'strategy: ema-cross\nrecordings: [a.arrow]\nbalances: { USDT: 1 }\n';
  writeFileSync(path, `${head}margin: ${margin}\n`);
  return readBacktestConfig(path).margin;
}

test('margin terms of a backtest are written as those of a venue, with the same defaults', () => {
  const given = read('{ BTCUSDT: { isolated: { maxInitialLeverage: 5, reserveRate: 0.005 } } }');
  expect(marginTerms(given?.['BTCUSDT'] ?? {})).toEqual([
    {
      marginMode: 'isolated',
      maxInitialLeverage: '5',
      marginCallLeverageMul: '1.50',
      liquidationLeverageMul: '2.00',
      forceCloseFee: '0.05',
      reserveRate: '0.005',
      enabled: true,
      active: true,
    },
  ]);
});

test('margin terms without the most that the leverage can be are refused at their line', () => {
  expect(() => read('{ BTCUSDT: { cross: {} } }')).toThrow(
    expect.objectContaining({ code: 'config-invalid' }),
  );
  expect(() => read('{ BTCUSDT: { cross: {} } }')).toThrow('maxInitialLeverage');
});

test('rates of interest are read as decimals, by currency', () => {
  const path = join(temporaryFolder(), 'backtest.yaml');
  const head = 'strategy: ema-cross\nrecordings: [a.arrow]\nbalances: { USDT: 1 }\n';
  writeFileSync(path, `${head}dailyRates: { USDT: 0.0003 }\n`);
  expect(readBacktestConfig(path).dailyRates).toEqual({ USDT: '0.0003' });
  writeFileSync(path, `${head}dailyRates: { USDT: much }\n`);
  expect(() => readBacktestConfig(path)).toThrow('dailyRates');
});
