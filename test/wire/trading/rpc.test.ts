import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { fault } from '../../../src/wire/trading/faults.ts';
import { readJson } from '../../../src/wire/json.ts';
import { encode } from '../../../src/wire/trading/decoding.ts';
import {
  decodeParams,
  decodeResult,
  errorFrame,
  notificationFrame,
  readRequest,
  readServerFrame,
  replyFrame,
  requestFrame,
  unknownMethod,
} from '../../../src/wire/trading/rpc.ts';
import { TRADING_METHODS } from '../../../src/wire/trading/v3/streams/trading.ts';
import { plain } from './arbitrary.ts';

describe('requests of sockets', () => {
  test.each([
    ['"a"', '"a"'],
    ['7', '7'],
    ['0', '0'],
    ['""', '""'],
    ['1.5', '1.5'],
    ['12345678901234567890', '12345678901234567890'],
    ['0.12345678901234567890', '0.12345678901234567890'],
    ['"12345678901234567890"', '"12345678901234567890"'],
  ])('the id %s comes back as it was', (id, echoed) => {
    const read = readRequest(`{"method":"spot_balances","id":${id}}`);
    if (read.kind === 'fault') throw new Error('it reads');
    expect(replyFrame(true, read.request.id)).toBe(
      `{"jsonrpc":"2.0","result":true,"id":${echoed}}`,
    );
    expect(errorFrame(fault(1001), read.request.id)).toContain(`,"id":${echoed}}`);
  });

  test.each(['{"method":"login"}', '{"method":"login","id":null}'])(
    '%s has no id, and its reply has none',
    (frame) => {
      const read = readRequest(frame);
      if (read.kind === 'fault') throw new Error('it reads');
      expect(replyFrame(true, read.request.id)).toBe('{"jsonrpc":"2.0","result":true}');
    },
  );

  test('params may be absent or null, and ch stands beside them', () => {
    for (const params of ['', ',"params":null', ',"params":{}']) {
      expect(readRequest(`{"method":"spot_subscribe"${params},"id":1}`)).toEqual({
        kind: 'request',
        request: { method: 'spot_subscribe', params: {}, id: 1 },
      });
    }
    expect(
      readRequest('{"method":"subscribe","ch":"trades","params":{"symbols":["ETHBTC"]},"id":123}'),
    ).toEqual({
      kind: 'request',
      request: { method: 'subscribe', ch: 'trades', params: { symbols: ['ETHBTC'] }, id: 123 },
    });
  });

  test.each([
    ['{', '', undefined],
    ['', '', undefined],
    ['[]', '', undefined],
    ['null', '', undefined],
    ['"text"', '', undefined],
    ['{"id":5}', 'method', 5],
    ['{"method":5,"id":"a"}', 'method', 'a'],
    ['{"method":"m","id":{}}', 'id', undefined],
    ['{"method":"m","id":[1]}', 'id', undefined],
    ['{"method":"m","id":true}', 'id', undefined],
    ['{"method":"m","ch":5,"id":6}', 'ch', 6],
  ])('%s is refused for its %s, with the id %s', (frame, member, id) => {
    const read = readRequest(frame);
    expect(read).toMatchObject({ kind: 'fault', fault: { code: 10001, member } });
    expect(read.kind === 'fault' ? read.id : 'none').toEqual(id);
  });

  test('long numbers in params keep their digits', () => {
    const read = readRequest(
      '{"method":"spot_new_order","params":{"symbol":"A","side":"buy","quantity":0.123456789012345678,"price":12345678901234567.25},"id":1}',
    );
    if (read.kind === 'fault') throw new Error('it reads');
    const params = decodeParams(TRADING_METHODS.spot_new_order, read.request.params);
    expect(params.kind === 'ok' ? plain(params.value) : params).toMatchObject({
      quantity: 'decimal 0.123456789012345678',
      price: 'decimal 12345678901234567.25',
    });
  });

  test('a method that is not there is refused by its name', () => {
    expect(unknownMethod('spot_fly')).toMatchObject({
      code: 10001,
      description: 'There is no method "spot_fly"',
    });
  });
});

describe('frames of a server', () => {
  test('are read by their kind', () => {
    expect(readServerFrame(replyFrame([1], 'a'))).toEqual({
      kind: 'result',
      result: [1],
      id: 'a',
    });
    expect(readServerFrame('{"jsonrpc":"2.0","result":true}')).toEqual({
      kind: 'result',
      result: true,
    });
    expect(readServerFrame(errorFrame(fault(20001, 'Why'), 3))).toEqual({
      kind: 'error',
      error: { code: 20001, message: 'Insufficient funds', description: 'Why' },
      id: 3,
    });
    expect(readServerFrame(notificationFrame('spot_order', { id: 1 }))).toEqual({
      kind: 'notification',
      method: 'spot_order',
      params: { id: 1 },
    });
  });

  test.each(['x', '[]', '{}', '{"id":1}', '{"error":{"message":"no code"}}', '{"error":5}'])(
    '%s is none',
    (frame) => {
      expect(readServerFrame(frame)).toMatchObject({ kind: 'unknown', fault: { code: 10001 } });
    },
  );

  test('a request is written without an id where none is given', () => {
    expect(requestFrame('login', { a: 1 })).toBe('{"method":"login","params":{"a":1}}');
    expect(requestFrame('login', {}, 'x')).toBe('{"method":"login","params":{},"id":"x"}');
  });

  test('results are written and read by their method', () => {
    const fee = { symbol: 'BTCUSDT', take_rate: decimal('0.0025'), make_rate: '0.0012' };
    const written = encode(TRADING_METHODS.spot_fees.result, [fee]);
    expect(written).toEqual([{ symbol: 'BTCUSDT', take_rate: '0.0025', make_rate: '0.0012' }]);
    const read = decodeResult(TRADING_METHODS.spot_fees, written);
    expect(read.kind === 'ok' ? plain(read.value) : read).toEqual([
      { symbol: 'BTCUSDT', take_rate: 'decimal 0.0025', make_rate: 'decimal 0.0012' },
    ]);
    expect(
      decodeResult(TRADING_METHODS.spot_fees, [{ symbol: 'A', take_rate: '1' }]),
    ).toMatchObject({
      fault: { member: '[0].make_rate', description: '[0].make_rate is required' },
    });
    expect(() => encode(TRADING_METHODS.spot_fees.result, [{ ...fee, make_rate: 'dear' }])).toThrow(
      /\[0\]\.make_rate must be a decimal/,
    );
  });

  test('a list of orders is answered once for each order', () => {
    const each = Object.entries(TRADING_METHODS)
      .filter(([, { replies }]) => replies === 'each')
      .map(([name]) => name);
    expect(each).toEqual([
      'spot_new_order_list',
      'margin_new_order_list',
      'futures_new_order_list',
    ]);
  });
});

describe('JSON', () => {
  test.each([
    ['{"a":0.1}', { a: 0.1 }],
    ['{"a":0.12345678901234567}', { a: '0.12345678901234567' }],
    ['{"a":1234567890123456.5}', { a: '1234567890123456.5' }],
    ['{"a":-12345678901234567890}', { a: '-12345678901234567890' }],
    ['{"a":9007199254740991}', { a: 9_007_199_254_740_991 }],
    ['{"a":9007199254740993}', { a: '9007199254740993' }],
    ['{"a":1.0000000000000000}', { a: '1.0000000000000000' }],
    ['{"a":123456789012345e3}', { a: 123_456_789_012_345_000 }],
    ['{"a":"1234567890123456789","b":1.5}', { a: '1234567890123456789', b: 1.5 }],
    ['[1700000000123,"1700000000.123456789"]', [1_700_000_000_123, '1700000000.123456789']],
  ])('%s is read as %j', (text, value) => {
    expect(readJson(text)).toEqual(value);
  });
});
