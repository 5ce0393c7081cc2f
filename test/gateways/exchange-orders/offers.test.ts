import { describe, expect, test } from 'vitest';
import { d } from '../trading/kit/values.ts';
import { asDecimals, openScripted, result } from './scripted.ts';
import { eachRow } from '../../conformance/each-row.ts';

const PAIR = { from: 'btc', to: 'eth' } as const;
const LIMITS = { max: '5', maxFrom: '5', maxTo: '100', min: '0.1', minFrom: '0.1', minTo: '2' };
const RATE = {
  id: '&a$b%c@d#e^f*g(h~',
  result: '20.1',
  ...PAIR,
  networkFee: '0.003',
  ...LIMITS,
  expiredAt: 1_768_000_060,
};

describe('currencies and pairs', () => {
  const CURRENCY = {
    name: 'XRP',
    ticker: 'xrp',
    fullName: 'Ripple',
    enabled: true,
    enabledFrom: true,
    enabledTo: false,
    fixRateEnabled: true,
    payinConfirmations: 1,
    addressUrl: 'https://example.com/%1$s',
    transactionUrl: 'https://example.com/tx/%1$s',
    image: 'https://example.com/xrp.svg',
    fixedTime: 1_200_000,
    blockchainPrecision: 6,
    protocol: 'XRP',
    blockchain: 'ripple',
  };

  test('are tickers', { tags: ['client:exchange-orders.method.get-currencies'] }, async () => {
    const { client, asked } = await openScripted([result(['btc', 'eth'])]);
    expect(await client.getCurrencies()).toEqual(['btc', 'eth']);
    expect(asked().method).toBe('getCurrencies');
  });

  test(
    'or records, with all their properties',
    {
      tags: [
        'client:exchange-orders.method.get-currencies-full',
        'client:exchange-orders.method.currency-record',
      ],
    },
    async () => {
      const { client, asked } = await openScripted([result([CURRENCY])]);
      expect(await client.getCurrenciesFull()).toMatchObject([CURRENCY]);
      expect(asked().method).toBe('getCurrenciesFull');
    },
  );

  test(
    'have more properties where they apply',
    { tags: ['client:exchange-orders.method.currency-optional'] },
    async () => {
      const more = {
        extraIdName: 'Destination Tag',
        contractAddress: '0xC',
        notifications: { payout: 'slow' },
      };
      const { client } = await openScripted([result([CURRENCY, { ...CURRENCY, ...more }])]);
      const [plain, full] = await client.getCurrenciesFull();
      expect([plain?.extraIdName, plain?.contractAddress, plain?.notifications]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(full).toMatchObject(more);
      expect(full?.notifications?.payin).toBeUndefined();
    },
  );

  test(
    'may name coin and network instead',
    { tags: ['client:exchange-orders.method.currency-alternative-mode'] },
    async () => {
      const { protocol: _, blockchain: __, ...rest } = CURRENCY;
      const { client } = await openScripted([
        result([{ ...rest, coin: 'XRP', network: 'ripple' }]),
      ]);
      const [currency] = await client.getCurrenciesFull();
      expect([currency?.coin, currency?.network, currency?.protocol]).toEqual([
        'XRP',
        'ripple',
        undefined,
      ]);
    },
  );

  test(
    'are exchanged for each other',
    { tags: ['client:exchange-orders.method.get-pairs'] },
    async () => {
      const { client, asked } = await openScripted([result([PAIR])]);
      expect(await client.getPairs({ from: 'btc', txType: 'fixed' })).toEqual([PAIR]);
      expect(asked()).toMatchObject({
        method: 'getPairs',
        params: { from: 'btc', txType: 'fixed' },
      });
    },
  );

  test('have limits', { tags: ['client:exchange-orders.method.get-pairs-params'] }, async () => {
    const amounts = {
      minAmountFloat: '0.1',
      maxAmountFloat: '5',
      minAmountFixed: '0.2',
      maxAmountFixed: '4',
    };
    const { client, asked } = await openScripted([result([{ ...PAIR, ...amounts }])]);
    expect(await client.getPairsParams([PAIR])).toEqual([{ ...PAIR, ...asDecimals(amounts) }]);
    expect(asked()).toMatchObject({ method: 'getPairsParams', params: [PAIR] });
  });

  test(
    'have a smallest amount, as text',
    { tags: ['client:exchange-orders.method.get-min-amount'] },
    async () => {
      const { client, asked } = await openScripted([result('0.00150000')]);
      expect(await client.getMinAmount(PAIR)).toBe('0.00150000');
      expect(asked()).toMatchObject({ method: 'getMinAmount', params: PAIR });
    },
  );

  test(
    'are paid out to addresses that are sound',
    { tags: ['client:exchange-orders.method.validate-address'] },
    async () => {
      const { client, asked } = await openScripted([
        result({ result: true }),
        result({ result: false, message: 'Invalid address' }),
      ]);
      const given = { currency: 'xrp', address: 'rOut', extraId: '5' };
      expect(await client.validateAddress(given)).toEqual({ result: true });
      expect(asked()).toMatchObject({ method: 'validateAddress', params: given });
      expect(await client.validateAddress(given)).toEqual({
        result: false,
        message: 'Invalid address',
      });
    },
  );
});

describe('rates', () => {
  const { id, from, to, expiredAt, ...amounts } = RATE;
  const read = { id, from, to, expiredAt, ...asDecimals(amounts) };

  test(
    'of pairs come one for each, with their limits and an end in seconds',
    {
      tags: [
        'client:exchange-orders.method.get-fix-rate',
        'client:exchange-orders.method.fix-rate-record',
        'client:exchange-orders.conv.unix-seconds-expired-at',
      ],
    },
    async () => {
      const { client, asked } = await openScripted([result([RATE, RATE])]);
      expect(await client.getFixRate([PAIR, PAIR])).toEqual([read, read]);
      expect(asked()).toMatchObject({ method: 'getFixRate', params: [PAIR, PAIR] });
    },
  );

  test(
    'say what is paid out: the amount times the rate less the fee',
    { tags: ['client:exchange-orders.method.fix-rate-payout'] },
    async () => {
      const { client } = await openScripted([result([RATE])]);
      const [rate] = await client.getFixRate([PAIR]);
      expect(rate && d('1.5').times(rate.result).minus(rate.networkFee)).toEqual(d('30.147'));
    },
  );

  test.each([
    { ...PAIR, amountFrom: '1.5' },
    { ...PAIR, amountTo: '30' },
    [
      { ...PAIR, amountFrom: '1.5' },
      { from: 'eth', to: 'btc', amountTo: '1' },
    ],
  ])(
    'are given for an amount of either side: %j',
    { tags: ['client:exchange-orders.method.get-fix-rate-for-amount'] },
    async (given) => {
      const { client, asked } = await openScripted([
        result([{ ...RATE, amountFrom: '1.5', amountTo: '30.147' }]),
      ]);
      const rates = await client.getFixRateForAmount(given);
      expect(asked()).toMatchObject({ method: 'getFixRateForAmount', params: given });
      expect(rates).toMatchObject([{ ...read, amountFrom: d('1.5'), amountTo: d('30.147') }]);
    },
  );

  test(
    'are estimated for amounts',
    { tags: ['client:exchange-orders.method.get-exchange-amount'] },
    async () => {
      const estimate = {
        networkFee: '0.003',
        amountFrom: '1.5',
        amountTo: '30.25',
        ...LIMITS,
        visibleAmount: '30.4',
        rate: '20.3',
        fee: '0.15',
      };
      const { client, asked } = await openScripted([result([{ ...PAIR, ...estimate }])]);
      const given = [{ ...PAIR, amountFrom: '1.5' }];
      expect(await client.getExchangeAmount(given)).toEqual([{ ...PAIR, ...asDecimals(estimate) }]);
      expect(asked()).toMatchObject({ method: 'getExchangeAmount', params: given });
    },
  );
});

describe('a status', () => {
  test(
    'is asked for by the id',
    { tags: ['client:exchange-orders.method.get-status'] },
    async () => {
      const { client, asked } = await openScripted([result('sending')]);
      expect(await client.getStatus({ id: 'f1' })).toBe('sending');
      expect(asked()).toMatchObject({ method: 'getStatus', params: { id: 'f1' } });
    },
  );

  eachRow(
    'client:exchange-orders.state.',
    ['finished', 'failed', 'refunded', 'overdue', 'expired'].map(
      (status) => [status, status] as const,
    ),
  )('%s is the end of following', async (status) => {
    const { client, service } = await openScripted([result(status)]);
    const reported: string[] = [];
    const changed = (to: string): void => {
      reported.push(to);
    };
    expect(await client.follow('f1', { changed })).toBe(status);
    expect(reported).toEqual([status]);
    expect(service.requests).toHaveLength(1);
  });

  eachRow(
    'client:exchange-orders.state.',
    ['waiting', 'confirming', 'exchanging', 'sending', 'hold'].map(
      (status) => [status, status] as const,
    ),
  )('%s is told, and is no end', async (status) => {
    const { client } = await openScripted([result(status), result('finished')]);
    const reported: string[] = [];
    let holds = 0;
    const ended = await client.follow('f1', {
      everyUs: 1_000,
      changed: (to) => {
        reported.push(to);
      },
      held: () => {
        holds += 1;
      },
    });
    expect([ended, ...reported]).toEqual(['finished', status, 'finished']);
    expect(holds).toBe(status === 'hold' ? 1 : 0);
  });
});
