import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { OPENED_SECONDS, openExchangeVenue, type ExchangeVenue } from './kit.ts';

type Texts = Readonly<Record<string, string>>;

const pair = { from: 'eth', to: 'usdceth' };

/** The one element of an array that a method answers. */
async function only(venue: ExchangeVenue, method: string, params: unknown): Promise<Texts> {
  const [first, ...rest] = await venue.result<Texts[]>(method, params);
  if (first === undefined || rest.length > 0) throw new Error(`${method} answers not one`);
  return first;
}

describe('Currencies', () => {
  it(
    'lists enabled tickers, and all currencies in full',
    {
      tags: [
        'server:exchange-orders.method.get-currencies',
        'server:exchange-orders.method.currency-disabled-listed',
      ],
    },
    async () => {
      const venue = await openExchangeVenue({ currencies: { sol: { enabled: false } } });
      const all = ['usdceth', 'eth', 'usdctro', 'btc', 'usdcsol', 'sol', 'xrp'];
      expect(await venue.result('getCurrencies')).toEqual(all.filter((ticker) => ticker !== 'sol'));
      const full = await venue.result<Texts[]>('getCurrenciesFull', {});
      expect(full.map(({ ticker, enabled }) => [ticker, enabled])).toEqual(
        all.map((ticker) => [ticker, ticker !== 'sol']),
      );
    },
  );

  it(
    'has for each what the specification lists and what applies',
    {
      tags: [
        'server:exchange-orders.method.get-currencies-full',
        'server:exchange-orders.method.currency-record',
        'server:exchange-orders.method.currency-default-mode',
        'server:exchange-orders.method.currency-optional',
        'server:exchange-orders.method.currency-fixed-time',
      ],
    },
    async () => {
      const venue = await openExchangeVenue({
        currencies: { xrp: { notifications: { payin: 'Slow today' }, fixedTimeMs: 600_000 } },
      });
      const full = await venue.result<Texts[]>('getCurrenciesFull', {});
      const [eth, btc, xrp] = ['eth', 'btc', 'xrp'].map((name) =>
        full.find(({ ticker }) => ticker === name),
      );
      expect(eth).toEqual({
        name: 'ETH',
        ticker: 'eth',
        fullName: 'ETH',
        enabled: true,
        enabledFrom: true,
        enabledTo: true,
        fixRateEnabled: true,
        payinConfirmations: 3,
        addressUrl: 'https://explorer.invalid/ethereum/address/%1$s',
        transactionUrl: 'https://explorer.invalid/ethereum/tx/%1$s',
        image: 'https://images.invalid/eth.svg',
        fixedTime: 1_200_000,
        contractAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
        protocol: 'ERC20',
        blockchain: 'ethereum',
        blockchainPrecision: 18,
      });
      expect(btc).not.toHaveProperty('contractAddress');
      expect(btc).not.toHaveProperty('extraIdName');
      expect(xrp).toMatchObject({
        extraIdName: 'Destination tag',
        notifications: { payin: 'Slow today' },
        fixedTime: 600_000,
      });
    },
  );

  it(
    'has coin and network in place of protocol and blockchain for partners with that right',
    { tags: ['server:exchange-orders.method.currency-alternative-mode'] },
    async () => {
      const venue = await openExchangeVenue({ client: { coinAndNetwork: true } });
      const full = await venue.result<Texts[]>('getCurrenciesFull');
      const usdc = full.find(({ ticker }) => ticker === 'usdctro');
      expect(usdc).toMatchObject({ coin: 'USDC', network: 'tron' });
      expect(usdc).not.toHaveProperty('protocol');
      expect(usdc).not.toHaveProperty('blockchain');
    },
  );

  it(
    'says whether an address is one of the currency, with a message where it is not',
    { tags: ['server:exchange-orders.method.validate-address'] },
    async () => {
      const venue = await openExchangeVenue();
      const ask = (currency: string, address: string, extraId?: string) =>
        venue.result('validateAddress', { currency, address, extraId });
      expect(await ask('btc', venue.address('btc'))).toEqual({ result: true });
      const wrong = { result: false, message: 'Invalid address' };
      expect(await ask('btc', venue.address('eth'))).toEqual(wrong);
      expect(await ask('xrp', venue.address('xrp'), '12345')).toEqual({ result: true });
      const extra = { result: false, message: 'Invalid extraId' };
      expect(await ask('xrp', venue.address('xrp'), 'a tag')).toEqual(extra);
      expect(await ask('btc', venue.address('btc'), 'a tag')).toEqual({ result: true });
    },
  );
});

describe('Pairs', () => {
  it(
    'lists what is exchanged, filtered by either side and by type',
    {
      tags: [
        'server:exchange-orders.method.get-pairs',
        'server:exchange-orders.conv.tickers-lowercase',
      ],
    },
    async () => {
      const venue = await openExchangeVenue({ currencies: { sol: { fixRateEnabled: false } } });
      expect(await venue.result('getPairs', {})).toHaveLength(7 * 6);
      const toEth = await venue.result<Texts[]>('getPairs', { to: 'eth' });
      expect(toEth).toHaveLength(6);
      expect(toEth.every(({ from, to }) => from !== 'eth' && to === 'eth')).toBe(true);
      expect(await venue.result('getPairs', { from: 'btc', to: 'eth' })).toEqual([
        { from: 'btc', to: 'eth' },
      ]);
      expect(await venue.result('getPairs', { txType: 'fixed' })).toHaveLength(6 * 5);
      expect(await venue.result('getPairs', { txType: 'float' })).toHaveLength(7 * 6);
      expect(await venue.error('getPairs', { from: 'BTC' })).toEqual([
        -32602,
        'Invalid currency: BTC not found',
      ]);
      expect(await venue.error('getPairs', { txType: 'other' })).toEqual([
        -32602,
        'Parameter txType is invalid',
      ]);
    },
  );

  it(
    'has the limits of pairs',
    {
      tags: [
        'server:exchange-orders.method.get-pairs-params',
        'server:exchange-orders.method.get-min-amount',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const limits = {
        ...pair,
        minAmountFloat: '0.00333334',
        maxAmountFloat: '166.66666666',
        minAmountFixed: '0.00333334',
        maxAmountFixed: '166.66666666',
      };
      expect(await venue.result('getPairsParams', [pair])).toEqual([limits]);
      expect(await venue.result('getMinAmount', pair)).toBe(limits.minAmountFloat);
    },
  );
});

describe('Estimates', () => {
  it(
    'has the estimate for an amount, each fee apart, with all digits',
    {
      tags: [
        'server:exchange-orders.method.get-exchange-amount',
        'server:exchange-orders.conv.amount-strings',
      ],
    },
    async () => {
      const venue = await openExchangeVenue({ client: { extraFee: new Decimal('0.5') } });
      const params = { ...pair, amountFrom: '1.000000000000000001' };
      const reported = {
        ...pair,
        networkFee: '0.5',
        amountFrom: '1.000000000000000001',
        amountTo: '2977.5',
        visibleAmount: '3000',
        rate: '3000',
        fee: '7.5',
        min: '0.00333334',
        minFrom: '0.00333334',
        minTo: '9.925019',
        max: '166.66666666',
        maxFrom: '166.66666666',
        maxTo: '496249.99998',
      };
      expect(await only(venue, 'getExchangeAmount', params)).toEqual(reported);
      expect(await only(venue, 'getExchangeAmount', [params])).toEqual(reported);
    },
  );

  it(
    'leaves invalid pairs out of the array form and refuses the object',
    { tags: ['server:exchange-orders.method.bulk-drops-invalid'] },
    async () => {
      const venue = await openExchangeVenue();
      const bad = { from: 'eth', to: 'eth', amountFrom: '1' };
      const good = { ...pair, amountFrom: '1' };
      for (const method of ['getExchangeAmount', 'getFixRateForAmount']) {
        expect(await venue.result(method, [bad, good])).toMatchObject([pair]);
        expect(await venue.result(method, [bad])).toEqual([]);
        expect(await venue.error(method, bad)).toEqual([
          -32602,
          'Invalid pair: eth->eth not available or temporary disabled',
        ]);
      }
    },
  );

  it(
    'rejects amounts outside their limits, which it names',
    {
      tags: [
        'server:exchange-orders.error.for-amount-limits',
        'server:exchange-orders.error.error-limits-data',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      for (const method of ['getExchangeAmount', 'getFixRateForAmount']) {
        const low = await venue.ask(method, { ...pair, amountFrom: '0.001' });
        const high = await venue.ask(method, { ...pair, amountFrom: '200' });
        const minTo = method === 'getExchangeAmount' ? '9.975019' : '9.47502';
        expect(low.body.error).toMatchObject({
          code: -32600,
          message: 'Invalid amount: minimal amount is 0.00333334',
          data: {
            limits: { min: { from: '0.00333334', to: minTo }, max: { from: '166.66666666' } },
          },
        });
        expect(high.body.error).toMatchObject({
          code: -32600,
          message: 'Invalid amount: maximal amount is 166.66666666',
          data: { limits: { max: { from: '166.66666666', to: expect.any(String) as string } } },
        });
      }
      expect(await venue.error('getFixRateForAmount', { ...pair, amountTo: '1' })).toEqual([
        -32600,
        'Invalid amount: minimal amount is 9.47502',
      ]);
      await venue.result('getFixRateForAmount', { ...pair, amountTo: '9.47502' });
      await venue.result('getFixRateForAmount', { ...pair, amountTo: '498749.49998' });
      expect(await venue.error('getFixRateForAmount', { ...pair, amountTo: '498749.5' })).toEqual([
        -32600,
        'Invalid amount: maximal amount is 498749.49998',
      ]);
    },
  );
});

describe('Fixed rates', () => {
  it(
    'gives one rate for each pair, from an array and from an object',
    {
      tags: [
        'server:exchange-orders.method.get-fix-rate',
        'server:exchange-orders.method.fix-rate-record',
        'server:exchange-orders.method.fix-rate-object-params',
        'server:exchange-orders.conv.unix-seconds-expired-at',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const other = { from: 'btc', to: 'eth' };
      const rates = await venue.result<Texts[]>('getFixRate', [pair, other]);
      expect(rates).toMatchObject([pair, other]);
      const rate = await only(venue, 'getFixRate', pair);
      expect(rate).toEqual({
        ...pair,
        id: expect.stringMatching(/^.{30}$/) as string,
        result: '2992.5',
        networkFee: '0.5',
        expiredAt: OPENED_SECONDS + 61,
        min: '0.00333334',
        minFrom: '0.00333334',
        minTo: '9.47502',
        max: '166.66666666',
        maxFrom: '166.66666666',
        maxTo: '498749.49998',
      });
      expect(new Set([...rates, rate].map(({ id }) => id)).size).toBe(3);
    },
  );

  it(
    'has the network fee in payout currency, of two-step exchanges in BTC',
    { tags: ['server:exchange-orders.method.fix-rate-network-fee-currency'] },
    async () => {
      const venue = await openExchangeVenue();
      expect((await only(venue, 'getFixRate', pair))['networkFee']).toBe('0.5');
      // 0.001 SOL are 0.15 in worth, which is 0.0000025 BTC.
      const twoStep = await only(venue, 'getFixRate', { from: 'eth', to: 'sol' });
      expect(twoStep['networkFee']).toBe('0.0000025');
    },
  );

  it(
    'takes just one of two amounts and returns the other',
    {
      tags: [
        'server:exchange-orders.method.get-fix-rate-for-amount',
        'server:exchange-orders.method.fix-rate-for-amount-xor',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const sent = await only(venue, 'getFixRateForAmount', { ...pair, amountFrom: '1' });
      expect(sent).toMatchObject({
        amountFrom: '1',
        amountTo: '2992',
        result: '2992.5',
        fee: '7.5',
      });
      const [got] = await venue.result<Texts[]>('getFixRateForAmount', [
        { ...pair, amountTo: '2992' },
      ]);
      expect(got).toMatchObject({ amountFrom: '1', amountTo: '2992' });
      for (const amounts of [{}, { amountFrom: '1', amountTo: '2992' }]) {
        const [code, message] = await venue.error('getFixRateForAmount', { ...pair, ...amounts });
        expect([code, message]).toEqual([
          -32602,
          `Parameter ${Object.keys(amounts).length === 0 ? 'amountFrom' : 'amountTo'} is invalid`,
        ]);
      }
    },
  );

  it(
    'says why there is no rate',
    {
      tags: [
        'server:exchange-orders.error.fix-rate-currency-disabled',
        'server:exchange-orders.error.fix-rate-currency-disabled-fix',
        'server:exchange-orders.error.fix-rate-currency-disabled-output',
        'server:exchange-orders.error.fix-rate-currency-disabled-input',
        'server:exchange-orders.error.fix-rate-currency-not-found',
        'server:exchange-orders.error.fix-rate-invalid-pair',
        'server:exchange-orders.error.fix-rate-parameter-invalid',
      ],
    },
    async () => {
      const venue = await openExchangeVenue({
        currencies: {
          btc: { enabled: false },
          sol: { fixRateEnabled: false },
          xrp: { enabledTo: false, enabledFrom: false },
        },
      });
      venue.service.currencies.changePair('eth', 'usdcsol', false);
      const before = venue.state();
      const cases: readonly (readonly [string, string, string])[] = [
        ['btc', 'eth', 'Invalid currency: btc temporary disabled'],
        ['eth', 'sol', 'Invalid currency: sol temporary disabled for fix rate transactions'],
        ['eth', 'xrp', 'Invalid currency: xrp is temporary disabled on API as output currency'],
        ['xrp', 'eth', 'Invalid currency: xrp is temporary disabled on API as input currency'],
        ['doge', 'eth', 'Invalid currency: doge not found'],
        ['eth', 'usdcsol', 'Invalid pair: eth->usdcsol not available or temporary disabled'],
      ];
      for (const [from, to, message] of cases) {
        expect(await venue.error('getFixRate', [pair, { from, to }])).toEqual([-32602, message]);
        expect(await venue.error('getFixRate', { from, to })).toEqual([-32602, message]);
      }
      const invalid = [-32602, 'Parameter to is invalid'];
      expect(await venue.error('getFixRate', [{ from: 'eth' }])).toEqual(invalid);
      expect(await venue.error('getFixRate', [{ from: 'eth', to: 7 }])).toEqual(invalid);
      expect(venue.state()).toBe(before);
    },
  );
});

describe('Private sends', () => {
  it(
    'has what is taken off an amount, and its limits',
    { tags: ['server:exchange-orders.method.estimate-private-send'] },
    async () => {
      const venue = await openExchangeVenue({ client: { extraFee: new Decimal('1') } });
      const ask = { currency: 'btc', amount: '1' };
      expect(await venue.result('estimatePrivateSend', ask)).toEqual({
        currency: 'btc',
        amount: '1',
        amountFrom: '1',
        serviceFee: '0.0025',
        extraFee: '0.01',
        min: '0.00016667',
        max: '8.33333333',
      });
    },
  );
});
