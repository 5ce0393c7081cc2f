import { describe, expect, test } from 'vitest';
import { decimal, sumOf, type Decimal } from '../../../src/model/decimal.ts';
import { holdingName, type HoldingKey, type HoldingTarget } from '../../../src/model/portfolio.ts';
import { isRejection, type Rejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import type { Offer } from '../../../src/swaps/execution/transfer-route.ts';
import type { Plan } from '../../../src/swaps/planner/plan.ts';
import { plan } from '../../../src/swaps/planner/planner.ts';
import type { OfferingRoute, PlanRequest } from '../../../src/swaps/planner/request.ts';
import { holding, TariffRoute, type Tariff } from './tariff-route.ts';

const one = () => decimal('1');

/** `A` is held at `A@x`; what it is to have, in a share or an amount. */
interface Row {
  readonly held: string;
  readonly weight?: string;
  readonly amount?: string;
  readonly band: string;
}

type Given = Partial<PlanRequest> & { readonly maximumCost?: string; readonly minimum?: string };

function requestOf(
  rows: Readonly<Record<string, Row>>,
  routes: readonly OfferingRoute[],
  { maximumCost = '1', minimum = '10', ...more }: Given = {},
): PlanRequest {
  const names = Object.keys(rows);
  const holdings = names.map((name): HoldingTarget => {
    const { weight, amount, band } = rows[name];
    const own = { ...holding(`${name}@x`), band: decimal(band), reserve: decimal('0') };
    return amount === undefined
      ? { ...own, weight: decimal(weight ?? '0') }
      : { ...own, amount: decimal(amount) };
  });
  return {
    id: 'p',
    targets: { holdings, minimumValue: decimal(minimum), maximumCost: decimal(maximumCost) },
    holdings: names.map((name) => ({ ...holding(`${name}@x`), amount: decimal(rows[name].held) })),
    priceOf: one,
    routes,
    now: () => micros(0),
    toEdges: true,
    ...more,
  };
}

const FREE = { fixed: '0', share: '0' };
const way = (from: string, to: string, tariff: Partial<Tariff> = FREE): Tariff => ({
  ...FREE,
  ...{ from: `${from}@x`, to: `${to}@x` },
  ...tariff,
});
const routeOf = (name: string, ...tariffs: readonly Tariff[]) =>
  new TariffRoute(name, tariffs, one);

async function made(request: PlanRequest): Promise<Plan> {
  const found = await plan(request);
  if (isRejection(found)) throw new Error(found.message);
  return found;
}

async function refused(request: PlanRequest): Promise<Rejection> {
  const found = await plan(request);
  if (isRejection(found)) return found;
  throw new Error('it was planned');
}

/** `c AB 200`: route, holdings and amount of each transfer. */
const sends = ({ plan: { transfers } }: Plan): readonly string[] =>
  transfers.map(
    ({ offer: { route, from, to, send } }) => `${route} ${from.asset}${to.asset} ${send.toFixed()}`,
  );

const HALVES = (a: string, b: string, band = '0.05') => ({
  A: { held: a, weight: '0.5', band },
  B: { held: b, weight: '0.5', band },
});

describe('the tolerance of a share', () => {
  test.each([
    ['550', '450', 0],
    ['450', '550', 0],
    ['550.000001', '449.999999', 1],
    ['449.999999', '550.000001', 1],
  ])('%s and %s of a thousand, with 5 %% each way, take %i transfers', async (a, b, count) => {
    const route = routeOf('c', way('A', 'B'), way('B', 'A'));
    const found = await made(requestOf(HALVES(a, b), [route]));
    expect(found.transfers).toHaveLength(count);
    expect(found.before.map(({ isIn }) => isIn)).toEqual([count === 0, count === 0]);
    expect(found.after.map(({ isIn }) => isIn)).toEqual([true, true]);
    expect(found.effort.isExact).toBe(true);
  });

  test.each([
    ['5250', 0],
    ['4750', 0],
    ['5250.000001', 1],
    ['4749.999999', 1],
  ])('of an amount of 5000 ± 250 is kept by %s: %i transfers', async (held, count) => {
    const rows = {
      A: { held, amount: '5000', band: '250' },
      B: { held: '9000', weight: '1', band: '0' },
    };
    const found = await made(requestOf(rows, [routeOf('c', way('A', 'B'), way('B', 'A'))]));
    expect(found.transfers).toHaveLength(count);
  });

  test('is used up to its edge, and half of it unless the request says otherwise', async () => {
    const dear = routeOf('c', way('A', 'B', { share: '0.01' }));
    // 600 less x are 0.55 of 1000 less a hundredth of x: 50 / 0.9945.
    const [edge] = (await made(requestOf(HALVES('600', '400'), [dear]))).plan.transfers;
    expect(edge.offer.send.toNumber()).toBeCloseTo(50 / 0.9945, 5);
    expect(edge.offer.send.toNumber()).toBeGreaterThanOrEqual(50 / 0.9945);
    const half = await made(requestOf(HALVES('600', '400'), [dear], { toEdges: false }));
    expect(half.plan.transfers[0].offer.send.toNumber()).toBeCloseTo(75 / 0.99475, 5);
  });

  test('of 0 with a free route is met exactly', async () => {
    const rows = HALVES('600', '400', '0');
    expect(sends(await made(requestOf(rows, [routeOf('c', way('A', 'B'))])))).toEqual(['c AB 100']);
    const { message } = await refused(requestOf(rows, [routeOf('c', way('A', 'B', { share: '0.01', slip: '0.01' }))])); // prettier-ignore
    expect(message).toContain(
      'its band is 0, which leaves no room for what routes take and round off.',
    );
  });

  test('that is missed by less than a float shows asks for no amount without end', async () => {
    const rows = HALVES('500.0000000000000000001', '499.9999999999999999999', '0');
    const route = routeOf('c', way('A', 'B'));
    expect((await refused(requestOf(rows, [route]))).code).toBe('plan-impossible');
    expect(route.asked).toBe(0);
  });
});

describe('the cost that a plan may have', () => {
  const rows = HALVES('600', '400');
  /** 50 go, and the network takes 1 of a coin that is no target. */
  const fee = { coin: 'G@x', held: '10', expected: '1', most: '2' };

  test.each([
    ['0.02', true],
    ['0.019999', false],
  ])('of %s of what is moved is kept by 1 of 50: %s', async (maximumCost, isKept) => {
    const found = await plan(
      requestOf(rows, [routeOf('c', way('A', 'B', { fee }))], { maximumCost }),
    );
    expect(isRejection(found)).toBe(!isKept);
    if (isRejection(found)) {
      expect(found.message).toBe('The cheapest of all transfers costs 1, 1 of it as fees of networks, to move 50, and may cost 1.'); // prettier-ignore
      return;
    }
    expect(found.plan.maximumCost.toFixed()).toBe('1');
    expect([found.cost, found.costAtMost, found.moved].map((one) => one.toFixed())).toEqual(['1', '2', '50']); // prettier-ignore
  });

  test('is exceeded by sets of transfers too, and what is passed on is moved once', async () => {
    const two = routeOf('c', way('A', 'H', { fixed: '1' }), way('H', 'B', { fixed: '2' }));
    const { code, message, limit } = await refused(requestOf(rows, [two], { maximumCost: '0.01' }));
    expect([code, limit]).toEqual(['cost-above-maximum', '0.01']);
    expect(message).toContain(
      'The cheapest of all sets of transfers, 2 transfers, costs 3 to move 1',
    );
    const found = await made(requestOf(rows, [two], { maximumCost: '0.07' }));
    const [first, second] = found.plan.transfers;
    expect(found.moved).toEqual(first.offer.send);
    expect(second.offer.send).toEqual(first.offer.least);
    expect(second.after).toEqual([{ transfer: '1', amount: first.offer.least }]);
    expect(found.transfers.map(({ cost }) => cost.toFixed())).toEqual(['1', '2']);
  });

  test('is that of what is expected; at the most it is by the least that may arrive', async () => {
    const slips = routeOf('c', way('A', 'B', { fixed: '1', slip: '0.01' }));
    const { cost, costAtMost, plan: { transfers } } = await made(requestOf(rows, [slips])); // prettier-ignore
    const [{ offer }] = transfers;
    expect(cost).toEqual(offer.send.minus(offer.expected));
    expect(costAtMost).toEqual(offer.send.minus(offer.least));
    expect(transfers[0].least).toEqual(offer.least.times('0.995'));
  });
});

describe('routes that do not fit', () => {
  const rows = HALVES('700', '300');

  test('are left for one that takes more, or shared', async () => {
    const small = routeOf('cheap', way('A', 'B', { maximum: '100' }));
    const large = routeOf('dear', way('A', 'B', { share: '0.02' }));
    const both = await made(requestOf(rows, [large, small]));
    expect(sends(both).map((text) => text.split(' ')[0])).toEqual(['cheap', 'dear']);
    const [cheap, dear] = both.plan.transfers.map(({ offer }) => offer.send.toNumber());
    expect(cheap).toBeLessThanOrEqual(100);
    expect(cheap).toBeGreaterThan(99.999);
    expect(cheap + dear).toBeCloseTo(150 + (dear * 0.02 * 0.55) / 0.989, 1);
    const { message } = await refused(requestOf(rows, [small]));
    expect(message).toContain('A@x to B@x by cheap: too much.');
  });

  test('at the least send more than is needed, as far as the band has room', async () => {
    const share = '0.001';
    const least = (minimum: string) => [routeOf('c', way('A', 'B', { minimum, share }))];
    const [{ offer }] = (await made(requestOf(rows, least('230')))).plan.transfers;
    expect(offer.send.toNumber()).toBeCloseTo(230, 4);
    expect(offer.send.toNumber()).toBeGreaterThanOrEqual(230);
    expect((await refused(requestOf(rows, least('252')))).message).toContain('too little');
  });

  test('that send whole lots are asked for more, and stay within the band', async () => {
    const lots = [routeOf('c', way('A', 'B', { step: '7', share: '0.001' }))];
    const found = await made(requestOf(rows, lots));
    // 150 and more are needed: 22 lots.
    expect(sends(found)).toEqual(['c AB 154']);
    expect(found.after.every(({ isIn }) => isIn)).toBe(true);
    const narrow = await refused(requestOf(HALVES('700', '300', '0.001'), [routeOf('c', way('A', 'B', { step: '7' }))])); // prettier-ignore
    expect(narrow.code).toBe('plan-impossible');
  });

  test('of the same cost are decided by name, whatever their order', async () => {
    const tariff = way('A', 'B', { fixed: '1' });
    const routes = ['swaps', 'account', 'orders'].map((name) => routeOf(name, tariff));
    const orders = [routes, routes.toReversed()];
    for (const given of orders) {
      const found = await made(requestOf(rows, given));
      expect(found.plan.transfers.map(({ offer }) => offer.route)).toEqual(['account']);
    }
  });

  test('through an asset without a price are not used, nor asked', async () => {
    const priceOf = (asset: string) => (asset === 'H' ? undefined : decimal('1'));
    const hidden = routeOf('hidden', way('A', 'H'), way('H', 'B'));
    const dear = routeOf('dear', way('A', 'B', { share: '0.1' }));
    const found = await made(requestOf(rows, [hidden, dear], { priceOf }));
    expect(found.plan.transfers.map(({ offer }) => offer.route)).toEqual(['dear']);
    expect(hidden.asked).toBe(0);
    expect([...found.plan.prices.keys()]).toEqual(['A', 'B']);
    const free = (asset: string) => decimal(asset === 'H' ? '0' : '1');
    await made(requestOf(rows, [hidden, dear], { priceOf: free }));
    expect(hidden.asked).toBe(0);
  });

  test('of a holding that is no target leave it alone', async () => {
    const asked = requestOf(rows, [routeOf('c', way('A', 'B'), way('Z', 'B'))]);
    const more = { ...asked, holdings: [...asked.holdings, { ...holding('Z@x'), amount: decimal('5000') }] }; // prettier-ignore
    const found = await made(more);
    expect(found.plan.transfers.map(({ offer }) => offer.from.asset)).toEqual(['A']);
    expect(found.before.map(({ holding: own }) => own.asset)).toEqual(['A', 'B']);
  });
});

test('two holdings that are short at once are filled from one that has too much', async () => {
  const rows = {
    A: { held: '800', weight: '0.5', band: '0.02' },
    B: { held: '150', weight: '0.3', band: '0.02' },
    C: { held: '50', weight: '0.2', band: '0.02' },
  };
  const routes = [routeOf('c', way('A', 'B', { fixed: '2' }), way('A', 'C', { fixed: '1' }))];
  const found = await made(requestOf(rows, routes));
  const [toB, toC] = found.plan.transfers.map(({ offer }) => offer.send.toNumber());
  expect(found.cost.toFixed()).toBe('3');
  // 997 remain: A keeps 518.44 at the most, B gets 279.16 and C 179.46 at the least.
  expect(toB + toC).toBeGreaterThanOrEqual(800 - 518.44);
  expect(150 + toB - 2).toBeGreaterThanOrEqual(279.16);
  expect(50 + toC - 1).toBeGreaterThanOrEqual(179.46);
  expect(found.leftAlone).toEqual([]);
});

/** A market that gets dearer with the square of what is sent: no line fits it. */
function market(depth: number, isMoving = false): OfferingRoute & { asked: number } {
  const route = {
    ...{ name: 'market', asked: 0 },
    pairs: () => [[holding('A@x'), holding('B@x')] as const],
    offer: (from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer> => {
      route.asked += 1;
      const loss = send
        .times(send)
        .div(depth)
        .plus(isMoving ? route.asked * 1e-6 : 0);
      const arrives = send.minus(loss).toDecimalPlaces(9);
      return Promise.resolve({
        ...{ route: 'market', kind: 'swap', from, to, send, least: arrives, expected: arrives },
        ...{ expiresAt: micros(1), durationUs: 1, terms: {} },
      });
    },
  };
  return route;
}

describe('a market that gets dearer the more is sent', () => {
  const rows = HALVES('700', '300');

  test('is asked where the plan goes, until the estimate is what it costs', async () => {
    const found = await made(requestOf(rows, [market(20_000)]));
    // 700 less x are 0.55 of 1000 less x² / 20,000.
    const x = 20_000 / 1.1 - Math.sqrt((20_000 / 1.1) ** 2 - (2 * 150 * 20_000) / 1.1);
    const [{ offer }] = found.plan.transfers;
    expect(offer.send.toNumber()).toBeCloseTo(x, 1);
    expect(found.after.every(({ isIn }) => isIn)).toBe(true);
    expect(found.effort.searches).toBeGreaterThan(1);
    expect(found.effort.searches).toBeLessThan(20);
    expect(found.effort).toMatchObject({ isExact: true });
  });

  test('is shared with a route of a fixed rate', async () => {
    const flat = routeOf('flat', way('A', 'B', { share: '0.01' }));
    const found = await made(requestOf(rows, [market(10_000), flat]));
    const amounts = new Map(found.plan.transfers.map(({ offer }) => [offer.route, offer.send.toNumber()])); // prettier-ignore
    // The next unit costs 2x / 10,000 there, a hundredth from 50 on.
    expect(amounts.get('market')).toBeGreaterThan(35);
    expect(amounts.get('market')).toBeLessThan(65);
    const total = sumOf(found.plan.transfers.map(({ offer }) => offer.send)).toNumber();
    expect(total).toBeGreaterThan(150);
    expect(total).toBeLessThan(152);
    expect(found.cost.toNumber()).toBeLessThan(1.3);
  });

  test('is in the band even while prices move, and says that it is not certain to be the cheapest', async () => {
    const found = await made(requestOf(rows, [market(20_000, true)]));
    expect(found.after.every(({ isIn }) => isIn)).toBe(true);
    expect(found.plan.transfers[0].offer.send.toNumber()).toBeCloseTo(150.6, 0);
  });
});

describe('the effort of a plan', () => {
  const rows = HALVES('700', '300');

  test('ends with the offers that may be asked for, and it is said that others may be cheaper', async () => {
    const found = await made(requestOf(rows, [market(20_000)], { limits: { offers: 5 } }));
    expect(found.effort).toEqual({ isExact: false, offers: 5, searches: found.effort.searches });
    expect(found.after.every(({ isIn }) => isIn)).toBe(true);
    const none = await refused(requestOf(rows, [market(20_000)], { limits: { offers: 1 } }));
    expect(none.message).toContain(
      'no transfers that do were found by 1 offers, though there may be some',
    );
  });

  test('counts offers and searches', async () => {
    const found = await made(requestOf(rows, [routeOf('c', way('A', 'B', { share: '0.01' }))]));
    expect(found.effort).toEqual({ isExact: true, offers: 3, searches: 1 });
  });

  test('allows four offers for each pair where there are many pairs', async () => {
    const hubs = Array.from({ length: 60 }, (_, at) => `H${at}`);
    const tariffs = hubs.flatMap((hub) => [way('A', hub, { share: '0.001' }), way(hub, 'B', { share: '0.001' })]); // prettier-ignore
    const route = routeOf('c', ...tariffs);
    await made(requestOf(rows, [route]));
    // Two of each pair are more than the 200 for few.
    expect(route.asked).toBeGreaterThan(240);
  });
});

describe('coins that are short', () => {
  const rows = HALVES('700', '300');
  const fee = (coin: string, held: string, most = '3') => ({
    coin: `${coin}@x`,
    held,
    expected: '1',
    most,
  });

  test('are named by what the fees may come to', async () => {
    const fees = routeOf('c', way('A', 'H', { fee: fee('G', '5') }), way('H', 'B', { fee: fee('G', '5') })); // prettier-ignore
    expect(await refused(requestOf(rows, [fees]))).toEqual({
      code: 'plan-impossible',
      field: 'G@x',
      message:
        'The fees of the transfers may come to 6 G@x, and the 5 that are there do not suffice for them: send some there first.',
    });
  });

  test('are named before a coin that is sent and suffices', async () => {
    // A pays a fee of its own for the first transfer, and has enough; G does not suffice for two.
    const tariffs = [
      way('A', 'H', { fee: fee('A', '700') }),
      way('H', 'K', { fee: fee('G', '5') }),
      way('K', 'B', { fee: fee('G', '5') }),
    ];
    expect(await refused(requestOf(rows, [routeOf('c', ...tariffs)]))).toMatchObject({
      field: 'G@x',
    });
  });

  test('are said to be so beside what is sent of them', async () => {
    const all = {
      A: { held: '700', weight: '0', band: '0.001' },
      B: { held: '300', weight: '1', band: '0.001' },
    };
    const fees = routeOf('c', way('A', 'B', { fee: fee('A', '690', '2') }));
    const { field, message } = await refused(requestOf(all, [fees]));
    expect(field).toBe('A@x');
    expect(message).toBe(
      'The fees of the transfers may come to 2 A@x, and the 690 that are there do not suffice for them beside what is to be sent of it: send some there first.',
    );
  });

  test('of two kinds are counted each by itself', async () => {
    const two = routeOf('c', way('A', 'H', { fee: fee('G', '3') }), way('H', 'B', { fee: fee('F', '3') })); // prettier-ignore
    const found = await made(requestOf(rows, [two]));
    expect(
      found.fees.map(({ coin, expected, most }) => [
        holdingName(coin),
        expected.toFixed(),
        most.toFixed(),
      ]),
    ).toEqual([
      ['G@x', '1', '3'],
      ['F@x', '1', '3'],
    ]);
    expect([found.cost.toFixed(), found.costAtMost.toFixed()]).toEqual(['2', '6']);
  });
});
