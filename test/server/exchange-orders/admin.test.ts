import { describe, expect, it } from 'vitest';
import { exchangeOrderCalls } from '../../../src/server/exchange-orders/admin.ts';
import { decode } from '../../../src/wire/trading/decoding.ts';
import { openExchangeVenue, type ExchangeVenue } from './kit.ts';

type Texts = Readonly<Record<string, string>>;

/** What a call of the admin answers; parameters are read as from its JSON. */
function admin(venue: ExchangeVenue, path: string, json: object = {}): unknown {
  const call = exchangeOrderCalls(venue.service).find(
    (each) => each.path === `/admin/exchange-orders/${path}`,
  );
  if (call === undefined) throw new Error(`there is no ${path}`);
  const params = decode(call.params, json);
  const outcome = params.kind === 'fault' ? params : call.run(params.value);
  return outcome.kind === 'fault' ? outcome.fault.description : outcome.value;
}

const float = (venue: ExchangeVenue): Promise<Texts> =>
  venue.result<Texts>('createTransaction', {
    from: 'eth',
    to: 'usdceth',
    amountFrom: '1',
    address: venue.address('usdceth', 'payee'),
    refundAddress: venue.address('eth', 'back'),
  });

describe('Whom the service belongs to', () => {
  it('holds, releases, fails and refunds orders, and gets the reason where it cannot', async () => {
    const venue = await openExchangeVenue();
    const { id = '', payinAddress = '' } = await float(venue);
    const decide = (decision: string) => admin(venue, 'decisions', { id, decision });
    expect(decide('hold')).toBe(`The order ${id} is waiting and cannot be held.`);
    venue.pay('eth', payinAddress, '1');
    expect(decide('hold')).toMatchObject({ id, state: 'hold' });
    venue.pass(60);
    expect(decide('release')).toMatchObject({ state: 'exchanging' });
    expect(decide('fail')).toMatchObject({ state: 'failed', reason: 'It was let fail by hand.' });
    expect(decide('refund')).toMatchObject({ state: 'refunded' });
    expect(venue.balance('eth', venue.address('eth', 'back'))).toBe('1');
    expect(admin(venue, 'orders')).toMatchObject({ orders: [{ id, client: 'client' }] });
    expect(admin(venue, 'decisions', { id: 'none', decision: 'hold' })).toBe(
      'There is no exchange order none.',
    );
  });

  it('gives stray payments back', async () => {
    const venue = await openExchangeVenue();
    const { payinAddress = '' } = await float(venue);
    const { hash } = venue.pay('usdceth', payinAddress, '5');
    expect(admin(venue, 'orders')).toMatchObject({ strays: [{ hash, lots: '5000000' }] });
    const address = venue.address('usdceth', 'back');
    expect(admin(venue, 'strays', { hash, address })).toMatchObject({ hash });
    expect(venue.balance('usdceth', address)).toBe('5');
    expect(admin(venue, 'strays', { hash, address })).toBe(
      `There is no payment ${hash} to give back.`,
    );
  });

  it('says what is exchanged, how much there is, and what breaks', async () => {
    const venue = await openExchangeVenue();
    expect(admin(venue, 'currencies', { ticker: 'eth', enabledFrom: false })).toEqual({
      ticker: 'eth',
    });
    const disabled = 'Invalid currency: eth is temporary disabled on API as input currency';
    await expect(float(venue)).rejects.toThrow(disabled);
    admin(venue, 'currencies', { ticker: 'eth', enabledFrom: true });
    admin(venue, 'currencies', { ticker: 'usdceth', liquidity: '30' });
    await expect(float(venue)).rejects.toThrow('Max amount is 0.01 eth.');
    admin(venue, 'currencies', { ticker: 'usdceth', liquidity: '30000' });
    admin(venue, 'pairs', { from: 'eth', to: 'usdceth', enabled: false });
    await expect(float(venue)).rejects.toThrow('Invalid pair: eth->usdceth');
    admin(venue, 'pairs', { from: 'eth', to: 'usdceth', enabled: true });
    expect(admin(venue, 'broken', { addresses: true })).toEqual({ addresses: true, inside: false });
    await expect(float(venue)).rejects.toThrow('address generation');
    admin(venue, 'broken', { addresses: false });
    expect(await float(venue)).toMatchObject({ status: 'new' });
    expect(admin(venue, 'currencies', { ticker: 'doge' })).toBe('There is no doge here.');
  });
});
