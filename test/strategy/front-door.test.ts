import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import * as millrace from '../../src/index.ts';

const FRONT_DOOR = new URL('../../src/index.ts', import.meta.url);

test('the front door re-exports and does nothing else', () => {
  const source = ts.createSourceFile(
    'index.ts',
    readFileSync(FRONT_DOOR, 'utf8'),
    ts.ScriptTarget.Latest,
  );
  const others = source.statements.filter(
    (statement) => !ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined,
  );
  expect(others.map((statement) => statement.getText(source))).toEqual([]);
});

test('a strategy can reach no engine, exchange, feed, clock or file through it', () => {
  // A new word for strategy authors is added here and shown in docs/writing-a-strategy.md.
  expect(Object.keys(millrace).sort()).toEqual(
    [
      ...['defineStrategy', 'defineCallbackStrategy', 'z', 'PERIODS'],
      ...['target', 'quote', 'flat', 'rebalance', 'place', 'replace', 'cancel', 'cancelAll'],
      ...['twap', 'vwap', 'iceberg', 'grid', 'dca', 'sizeByRisk', 'sizeByVolatility'],
      ...['placeList', 'bracket', 'oco', 'oto', 'otoco', 'aon'],
      ...['isolated', 'cross', 'on', 'MARKETS', 'setMargin', 'setLeverage'],
      ...['price', 'quantity', 'rate', 'amount', 'ticks', 'lots'],
      ...['derive', 'values', 'lastValues', 'align', 'rolling', 'bars'],
      ...['above', 'crosses', 'crossesAbove', 'crossesBelow'],
      ...['barsSince', 'highestSince', 'lowestSince'],
      ...['sma', 'ema', 'highest', 'lowest', 'rsi', 'atr', 'macd', 'bollinger', 'ta'],
      ...['seconds', 'minutes', 'hours', 'days'],
    ].sort(),
  );
});
