import { expect, test } from 'vitest';
import { checkSpot } from '../../src/rules/spot.ts';
import { instrumentOf } from '../kit/instruments.ts';

test('spot may be traded', () => {
  expect(() => checkSpot(instrumentOf().terms, 'a.arrow')).not.toThrow();
});

test('futures are refused by name, with their contract, and a linear one with what to do', () => {
  const linear = instrumentOf({ type: 'futures' });
  expect(() => checkSpot(linear.terms, 'a.arrow')).toThrow(
    expect.objectContaining({ code: 'futures-unsupported', field: 'type', where: 'a.arrow' }),
  );
  expect(() => checkSpot(linear.terms, 'a.arrow')).toThrow('import it with --type spot');
  const inverse = instrumentOf({
    ...{ type: 'futures', contractSize: '100', settlement: 'inverse' },
    quoteCurrency: 'USD',
    feeCurrency: 'USD',
  });
  expect(() => checkSpot(inverse.terms, 'a.arrow')).toThrow(
    /^BTCUSDT is futures with contracts of 100 USD, and bots trade spot: backtests trade it, bots will with a later release\.$/,
  );
});
