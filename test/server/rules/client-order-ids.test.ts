import { describe, expect, test } from 'vitest';
import { idOf, openMarket } from '../spot/harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

describe('an order without a client order id', () => {
  test(
    'gets one of 32 characters, by which it is found',
    {
      tags: [
        'server:trading-v3.rule.client-order-id-generated',
        'server:trading-v3.rule.client-order-id-generated-form',
      ],
    },
    async () => {
      const { demo } = await openMarket();
      const { client_order_id: made } = await demo.order();
      expect(made).toMatch(/^[A-Za-z0-9_-]{32}$/);
      const { client_order_id: another } = await demo.order();
      expect(another).not.toBe(made);
      expect(await demo.done('GET', `/spot/order/${String(made)}`)).toMatchObject({
        status: 'new',
      });
    },
  );
});

describe('a client order id', () => {
  eachRow('server:trading-v3.rule.', [
    ['client-order-id-min-8', 'seven-7', 'eight-_8'],
    ['client-order-id-max-32', 'x'.repeat(33), 'x'.repeat(32)],
    ['client-order-id-charset', 'dollar$-1', 'aZ09_-aZ'],
    ['client-order-id-charset', 'umlaut-ä', 'umlaut-a'],
    ['client-order-id-charset', 'blank in', 'blank-in'],
  ])('is refused as %s and taken as %s', async (wrong, right) => {
    const { demo } = await openMarket();
    expect(await demo.orderRejected({ client_order_id: wrong })).toMatchObject({
      status: 400,
      code: 10001,
    });
    expect(await demo.order({ client_order_id: right })).toMatchObject({ client_order_id: right });
  });

  test(
    'of an active order is refused to another order of the account',
    { tags: ['server:trading-v3.rule.client-order-id-unique'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.order({ client_order_id: 'order-0001' });
      expect(await demo.orderRejected({ client_order_id: 'order-0001' })).toMatchObject({
        status: 400,
      });
      expect(await other.order({ client_order_id: 'order-0001' })).toMatchObject({ status: 'new' });
    },
  );

  test(
    'that is in use is refused with 20008',
    { tags: ['server:trading-v3.rule.client-order-id-duplicate-code'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ client_order_id: 'order-0001' });
      expect(await demo.orderRejected({ client_order_id: 'order-0001' })).toMatchObject({
        code: 20008,
      });
    },
  );

  test.each([
    ['filled', { side: 'sell' }],
    ['canceled', {}],
    ['expired', { type: 'market', price: undefined }],
  ])(
    'stays taken for a minute after its order is %s',
    {
      tags: [
        'server:trading-v3.rule.client-order-id-reuse',
        'server:trading-v3.rule.client-order-id-reuse-delay',
      ],
    },
    async (end, order) => {
      const { venue, demo, other } = await openMarket();
      const id = 'order-0001';
      await demo.order({ ...order, client_order_id: id });
      if (end === 'filled') await other.order();
      if (end === 'canceled') await demo.cancel(id);
      expect(await demo.pastOrder(id)).toMatchObject({ status: end });
      venue.pass(59_999_999);
      expect(await demo.orderRejected({ client_order_id: id })).toMatchObject({ code: 20008 });
      venue.pass(1);
      expect(await demo.order({ client_order_id: id })).toMatchObject({ status: 'new' });
    },
  );

  test('of a replaced order stays taken too', async () => {
    const { demo } = await openMarket();
    await demo.order({ client_order_id: idOf('old') });
    await demo.replace(idOf('old'), { quantity: '2', price: '0.05' });
    expect(await demo.orderRejected({ client_order_id: idOf('old') })).toMatchObject({
      code: 20008,
    });
  });
});
