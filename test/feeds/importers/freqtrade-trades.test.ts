import { describe, expect, test } from 'vitest';
import { LAST, SELL, TRADE } from '../../../src/model/events.ts';
import { filesOf, importTexts, rejectionOf } from './imported.ts';

const rows = [
  '[1570752011620,"13519807",null,"sell",0.00141342,23.0,0.03250866]',
  '[1570752028907,"a-b","limit","buy",1.4e-3,0.5,0.015571269999999998]',
];

const imported = [
  [1570752011620000, 1570752011620000, TRADE, SELL | LAST, 13519807, 141342, 230, 0, 0, 0],
  [1570752028907000, 1570752028907000, TRADE, LAST, 0, 140000, 5, 0, 0, 0],
];

const name = 'XRP_ETH-trades.json';

describe("freqtrade's trades", () => {
  test.each([
    ['one line', `[${rows.join(',')}]`],
    ['lines', `[\n  ${rows.join(',\n  ')}\n]\n`],
  ])('are read from %s, prices and amounts as they are written', async (_what, text) => {
    const result = await importTexts('freqtrade-trades', { [`${name}.gz`]: text });
    expect(result.rows).toEqual(imported);
    expect(result.report.instrument).toMatchObject({
      symbol: 'XRPETH',
      baseCurrency: 'XRP',
      quoteCurrency: 'ETH',
      type: 'spot',
      tickSize: '0.00000001',
      quantityIncrement: '0.1',
    });
  });

  test('of a contract name the currency in which it is settled', async () => {
    const { report } = await importTexts('freqtrade-trades', {
      'BTC_USDT_USDT-trades.json': `[${rows[0]}]`,
    });
    expect(report.instrument).toMatchObject({
      symbol: 'BTCUSDT',
      baseCurrency: 'BTC',
      quoteCurrency: 'USDT',
      type: 'futures',
    });
  });

  test('without a side are counted', async () => {
    const text = `[${rows[0]},[1570752028907,"1",null,null,0.1,1.0]]`;
    const { report } = await importTexts('freqtrade-trades', { [name]: text });
    expect(report).toMatchObject({ trades: 2, unsidedTrades: 1 });
  });

  test('are read a row at a time from a file larger than a piece of it', async () => {
    const many = Array.from(
      { length: 20_000 },
      (_, index) =>
        `[${1570752011620 + index},"${index}","x\\"],[é",  "buy",${index + 1}e-8,2.0,1]`,
    );
    const text = `[${many.join(',')}]`;
    for (const file of [name, `${name}.gz`]) {
      const result = await importTexts('freqtrade-trades', { [file]: text });
      expect(result.rows.map((row) => row[5])).toEqual(many.map((_, index) => index + 1));
    }
  });
});

describe("a file that is not freqtrade's", () => {
  test.each([
    ['ends early', `[${rows[0]},[15707520`, 1, 'ends in the middle'],
    ['is empty', '', 1, 'ends in the middle'],
    ['is an object', '{"a":1}', 1, 'the character "{"'],
    ['goes on after its end', `[${rows[0]}]\n]`, 2, 'the character "]"'],
    ['lacks a comma', `[${rows[0]}\n${rows[1]}]`, 2, 'the character "["'],
    ['has a comma too many', `[${rows[0]},]`, 1, 'the character "]"'],
    ['begins with a comma', `[,${rows[0]}]`, 1, 'the character ","'],
    ['has arrays in rows', '[[1,[2]]]', 1, 'the character "["'],
    ['has objects in rows', '[[1,{"a":2}]]', 1, 'holds an object'],
    ['has a broken row', `[${rows[0]},\n[1,,2]]`, 2, 'is not JSON'],
    ['has short rows', `[${rows[0]},\n[1,"2"]]`, 2, 'the row'],
    ['has no price', '[[1,"2",null,"buy",null,1]]', 1, 'the row'],
    ['has no number', '[[1,"2",null,"buy","x",1]]', 1, 'price "x"'],
    ['has no time', '[["x","2",null,"buy",1,1]]', 1, 'the time "x"'],
    ['has another side', '[[1,"2",null,"long",1,1]]', 1, 'the side "long"'],
    ['goes back in time', `[${rows[1]},\n${rows[0]}]`, 2, 'before that of the row before it'],
    ['has no trades', '[]', 1, 'no trade'],
  ])('is refused when it %s', async (_what, text, line, says) => {
    const error = await rejectionOf('freqtrade-trades', filesOf({ [name]: text }));
    expect(error.code).toBe('import-invalid');
    expect(error.where).toMatch(new RegExp(`:${line}$`));
    expect(error.message).toContain(says);
  });

  test('is refused when it is empty of trades and the grid is given', async () => {
    const grid = { tickSize: '1', quantityIncrement: '1' };
    const error = await rejectionOf('freqtrade-trades', filesOf({ [name]: '[]' }), grid);
    expect(error.message).toContain('no events');
  });

  test('is refused when a row never ends', async () => {
    const text = `[["${'x'.repeat(1_100_000)}`;
    const error = await rejectionOf('freqtrade-trades', filesOf({ [name]: text }));
    expect(error.message).toContain('a row of more than');
  });
});
