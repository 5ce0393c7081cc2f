import { describe, expect, it } from 'vitest';
import { micros } from '../../../../src/platform/time.ts';
import { openVenue } from '../../../server/kit.ts';
import { cableTo } from '../market/cable.ts';
import { place } from '../market/kit.ts';
import { accountAt, hold, placeOf, settled, until } from './kit.ts';

const trading = { socket: '/api/3/ws/trading' } as const;

describe('an account', () => {
  it('reports a trade once that the service sends twice', async () => {
    const venue = await openVenue({
      faults: { streams: [{ ...trading, topic: 'spot_order', fault: { kind: 'duplicate' } }] },
    });
    await place(venue, 'other', 'sell', '100.01', '0.5');
    const { account, ear } = await hold(venue);
    account.send(placeOf('taking-order', { ticks: 10_001, lots: 20_000 }));
    await until(venue, () => ear.of('balance').length === 5);
    expect(ear.story).toEqual(['new taking-order', 'new taking-order', 'trade taking-order']);
  });

  it('reports both sides of a trade with itself', async () => {
    const venue = await openVenue();
    const { account, ear } = await hold(venue);
    account.send(placeOf('own-maker', { side: 'sell' }));
    account.send(placeOf('own-taker'));
    await until(venue, () => ear.of('trade').length === 2);
    const [maker, taker] = ear.of('trade');
    expect(maker?.fill.id).toBe(taker?.fill.id);
    expect([maker?.fill.clientOrderId, taker?.fill.clientOrderId]).toEqual([
      'own-maker',
      'own-taker',
    ]);
  });

  it('emits reports as they come, out of order too', async () => {
    const venue = await openVenue({
      faults: {
        streams: [{ ...trading, topic: 'spot_order', count: 1, fault: { kind: 'reorder' } }],
      },
    });
    await place(venue, 'other', 'sell', '100.01', '0.5');
    const { account, ear } = await hold(venue);
    account.send(placeOf('taking-order', { ticks: 10_001, lots: 20_000 }));
    await until(venue, () => ear.story.length === 2);
    expect(ear.story).toEqual(['trade taking-order', 'new taking-order']);
  });

  it('reports after a loss all balances again, 0 for what is gone, and then that it is connected', async () => {
    const venue = await openVenue();
    venue.join('small', { spot: { BTC: '1', USDT: '100' } });
    const cable = await cableTo(venue);
    const { account, ear } = accountAt(venue, cable.url, 'small');
    await settled(venue, account.open(ear));
    ear.clear();
    cable.cut();
    await until(venue, () => ear.kinds.includes('lost'));
    const away = { currency: 'BTC', amount: '1', source: 'spot', destination: 'wallet' };
    await venue.call('POST', '/api/3/wallet/transfer', { as: 'small', json: away });
    cable.mend();
    await until(venue, () => ear.kinds.includes('live'));
    expect(ear.kinds).toEqual(['lost', 'balance', 'balance', 'live']);
    expect(ear.balance('BTC')).toEqual(['0', '0']);
    expect(ear.balance('USDT')).toEqual(['100', '0']);
    account.send(placeOf('order-after', { ticks: 100 }));
    await until(venue, () => ear.story.length === 1);
    expect(ear.story).toEqual(['new order-after']);
  });

  it('is lost when the socket is silent, and connected on the next one', async () => {
    const venue = await openVenue();
    const cable = await cableTo(venue);
    const socket = { backoffUs: 10_000, pingAfterUs: 400_000, pongWithinUs: 400_000 };
    const { account, ear } = accountAt(venue, cable.url, 'demo', { socket });
    await settled(venue, account.open(ear));
    ear.clear();
    cable.freeze();
    account.send(placeOf('silent-order'));
    await until(venue, () => ear.kinds.includes('live'));
    expect(ear.kinds.filter((kind) => kind !== 'balance')).toEqual([
      'lost',
      'outcome-unknown',
      'live',
    ]);
    expect(ear.whys[0]).toContain('has been silent for 0.8 s and did not answer a ping');
  });

  it('cannot be opened with a key that the service does not take', async () => {
    const venue = await openVenue();
    const { account, ear } = accountAt(venue, venue.base, 'nobody');
    await expect(settled(venue, account.open(ear))).rejects.toMatchObject({
      code: 'service-refused',
    });
    expect(ear.kinds).toEqual([]);
  });

  it('asks for symbols until the service answers, and warns of each failure', async () => {
    const venue = await openVenue({
      faults: {
        http: [
          { path: '/api/3/public/symbol', count: 2, fault: { kind: 'answer', status: 503 } },
          { path: '/api/3/spot/fee', count: 1, fault: { kind: 'cut' } },
        ],
      },
    });
    const { account, warnings } = await hold(venue);
    expect(account.instruments).toHaveLength(4);
    expect(warnings.map(({ code }) => code)).toEqual([
      'service-unavailable',
      'service-unavailable',
      'service-unavailable',
    ]);
  });

  it('requests the balances where the service does not push them', async () => {
    const venue = await openVenue({
      faults: {
        streams: [{ ...trading, topic: 'spot_balance', count: 1, fault: { kind: 'drop' } }],
      },
    });
    const { ear } = await hold(venue);
    expect(ear.balance('USDT')).toEqual(['1000000', '0']);
    expect(ear.kinds.at(-1)).toBe('live');
  });

  it('is closed while it waits for the service', async () => {
    const venue = await openVenue({ faults: { maintenance: true } });
    const { account, ear } = accountAt(venue, venue.base);
    const opened = account.open(ear);
    await until(venue, () => venue.scheduler.now() > micros(0));
    const closed = account.close();
    await expect(settled(venue, opened)).rejects.toMatchObject({ code: 'unreachable' });
    await settled(venue, closed);
    expect(ear.kinds).toEqual([]);
  });

  it('measures by how much the clock of the service is ahead', async () => {
    const venue = await openVenue({ faults: { clockSkewMs: 7_000 } });
    const { account } = accountAt(venue, venue.base);
    const skewUs = await settled(venue, account.clockSkewUs());
    expect(Math.abs(skewUs - 7_000_000)).toBeLessThan(100_000);
  });
});

it('refuses a key that may read and not trade, before it sends anything', async () => {
  const venue = await openVenue();
  venue.join('reader', { rights: ['read'] });
  const { account, ear } = accountAt(venue, venue.base, 'reader');
  await expect(settled(venue, account.open(ear))).rejects.toMatchObject({
    code: 'service-refused',
    message:
      'The key may read and may not trade: give it the right "Place/cancel orders", or run on paper.',
  });
});
