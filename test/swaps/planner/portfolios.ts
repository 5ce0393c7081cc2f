import { decimal } from '../../../src/model/decimal.ts';
import { holdingName } from '../../../src/model/portfolio.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros } from '../../../src/platform/time.ts';
import { Curve } from '../../../src/swaps/planner/curve.ts';
import { edgesOf } from '../../../src/swaps/planner/edges.ts';
import type { Problem } from '../../../src/swaps/planner/problem.ts';
import type { PlanRequest } from '../../../src/swaps/planner/request.ts';
import type { SmallCase } from './brute-force.ts';
import { holding, TariffRoute, type Tariff } from './tariff-route.ts';

/** A tariff, and by whom. */
export interface NamedTariff extends Tariff {
  readonly route: string;
}

/** A portfolio of any size; everything is worth 1. */
export interface Portfolio extends SmallCase {
  readonly tariffs: readonly NamedTariff[];
}

const ROUTES = ['account', 'exchange-orders', 'swaps'];

/**
 * A portfolio by a seed, so many holdings and edges: holdings are spread by chance and targets by
 * another one, and some locations are only passed through. Tariffs are like those of real services:
 * cheap and fixed by the account, a share by the others.
 */
export function portfolioOf(seed: number, holdings: number, edges: number): Portfolio {
  const random = new Random(seed);
  const names = Array.from({ length: holdings }, (_, at) => `A${at}@chain`);
  const hubs = Array.from({ length: Math.ceil(holdings / 3) }, (_, at) => `H${at}@trading`);
  const weights = names.map(() => random.integer(1, 10));
  const all = weights.reduce((sum, one) => sum + one, 0);
  const shares = weights.map((weight) => Math.floor((100 * weight) / all));
  shares[0] = 100 - shares.slice(1).reduce((sum, one) => sum + one, 0);
  const made = names.map((name, at) => ({
    name,
    value: random.chance(0.3) ? 100 * (shares[at] ?? 0) : random.integer(0, 2000),
    weight: (shares[at] ?? 0) / 100,
    band: random.integer(1, 4) / 100,
    reserve: random.chance(0.2) ? 50 : 0,
  }));
  const ends = [...names, ...hubs];
  const pairs = ROUTES.flatMap((route) =>
    ends.flatMap((from) => ends.filter((to) => to !== from).map((to) => ({ route, from, to }))),
  );
  const tariffs = pairs
    .map((pair) => ({ pair, turn: random.unit() }))
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, edges)
    .map(({ pair }): NamedTariff => {
      const isAccount = pair.route === 'account';
      const fixed = isAccount ? random.integer(0, 25) : random.integer(0, 6);
      return {
        ...pair,
        fixed: String(fixed),
        share: (isAccount ? random.integer(0, 12) / 10_000 : random.integer(15, 60) / 10_000).toFixed(4), // prettier-ignore
        slip: pair.route === 'swaps' ? '0.005' : '0',
        minimum: random.chance(0.3) ? '40' : '0',
        maximum: random.chance(0.2) ? '600' : '1000000000',
      };
    });
  return { holdings: made, tariffs, minimumValue: 25 };
}

/** What is asked of the planner: to the edges of bands, as a naive planner would. */
export function requestOf({ holdings, tariffs, minimumValue }: Portfolio): PlanRequest {
  const priceOf = () => decimal('1');
  const names = [...new Set(tariffs.map(({ route }) => route))];
  return {
    id: 'p',
    targets: {
      holdings: holdings.map(({ name, weight, band, reserve }) => ({
        ...holding(name),
        weight: decimal(weight.toFixed(2)),
        band: decimal(band.toFixed(2)),
        reserve: decimal(String(reserve)),
      })),
      minimumValue: decimal(String(minimumValue)),
      maximumCost: decimal('1'),
    },
    holdings: holdings.map(({ name, value: held }) => ({
      ...holding(name),
      amount: decimal(String(held)),
    })),
    priceOf,
    routes: names.map(
      (name) =>
        new TariffRoute(
          name,
          tariffs.filter(({ route }) => route === name),
          priceOf,
        ),
    ),
    now: () => micros(0),
    toEdges: true,
  };
}

/** The same as the search sees it once all tariffs are known. */
export function problemOf(portfolio: Portfolio): Problem {
  const { holdings, tariffs, minimumValue } = portfolio;
  const total = holdings.reduce((sum, { value }) => sum + value, 0);
  const edges = edgesOf(requestOf(portfolio).routes);
  const curves = edges.map(({ route, from, to }) => {
    const ends = [route.name, holdingName(from), holdingName(to)].join(' ');
    const tariff = tariffs.find((one) => [one.route, one.from, one.to].join(' ') === ends);
    return curveOf(tariff, minimumValue);
  });
  return {
    edges,
    curves,
    total,
    margin: 0,
    byCostAlone: false,
    holdings: holdings.map((own) => ({
      ...own,
      isIn: Math.abs(own.value / total - own.weight) <= own.band,
    })),
  };
}

function curveOf(tariff: Tariff | undefined, minimumValue: number): Curve {
  const { fixed, share, slip = '0', minimum = '0', maximum = 'Infinity' } = tariff ?? NO_TARIFF;
  const curve = new Curve(Math.max(minimumValue, Number(minimum)));
  curve.maximum = Number(maximum);
  for (const send of [200, 800]) {
    const expected = send * (1 - Number(share)) - Number(fixed);
    curve.add({ send, expected, least: expected * (1 - Number(slip)) });
  }
  return curve;
}

const NO_TARIFF: Omit<Tariff, 'from' | 'to'> = { fixed: '0', share: '1' };
