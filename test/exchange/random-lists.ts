import fc from 'fast-check';
import type { ContingencyType, TimeInForce } from '../../src/model/order.ts';
import type { Order } from './kit.ts';

const price = fc.integer({ min: 96, max: 104 });

/** What the orders of lists are made of; what does not fit a list is bent until it does. */
export const part = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  lots: fc.integer({ min: 1, max: 9 }),
  ticks: price,
  stop: price,
  symbol: fc.constantFrom('BTCUSDT', 'BTCUSDT', 'BTCUSDT', 'ETHBTC'),
  type: fc.constantFrom(
    'limit',
    'market',
    'stopLimit',
    'stopMarket',
    'takeProfitLimit',
    'takeProfitMarket',
  ),
  life: fc.constantFrom('GTC', 'GTC', 'GTD', 'IOC', 'FOK', 'postOnly'),
});
type Part = typeof part extends fc.Arbitrary<infer T> ? T : never;

/** A list that its contingency type allows. */
export function shaped(type: ContingencyType, parts: readonly Part[], now: number): Order[] {
  const whole = type === 'oneTriggerOneCancelOther' ? [...parts, ...parts].slice(0, 3) : parts;
  if (type === 'allOrNone') {
    return ['BTCUSDT', 'ETHBTC'].map((name, index) => {
      const { side, lots, ticks } = parts[index];
      const isLimit = parts[index].type.endsWith('imit');
      return { symbol: name, side, lots, timeInForce: 'FOK', ...(isLimit ? { ticks } : {}) };
    });
  }
  let limits = 0;
  return whole.map((p, index) => {
    const isLeg = type === 'oneCancelOther' || (type !== 'oneTriggerOther' && index > 0);
    let kind = isLeg && p.type === 'market' ? 'limit' : p.type;
    if (isLeg && kind === 'limit' && (limits += 1) > 1) kind = 'stopLimit';
    let life =
      isLeg && kind === 'limit' && p.life.length === 3 && p.life !== 'GTD' ? 'GTC' : p.life;
    if (kind === 'market') life = life === 'IOC' ? 'IOC' : 'FOK';
    if (life === 'postOnly' && kind.endsWith('Market')) life = 'GTC';
    return {
      symbol: type === 'oneTriggerOneCancelOther' ? whole[0].symbol : p.symbol,
      side: p.side,
      lots: p.lots,
      type: kind,
      ...(kind.endsWith('imit') ? { ticks: p.ticks } : {}),
      ...(kind === 'limit' || kind === 'market' ? {} : { stop: p.stop }),
      ...(life === 'postOnly' ? { postOnly: true } : { timeInForce: life as TimeInForce }),
      ...(life === 'GTD' ? { expireAt: now + 40 } : {}),
    };
  });
}
