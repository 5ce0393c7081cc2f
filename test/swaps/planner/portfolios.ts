import { decimal } from '../../../src/model/decimal.ts';
import { slotName } from '../../../src/model/portfolio.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros } from '../../../src/platform/time.ts';
import { Curve } from '../../../src/swaps/planner/curve.ts';
import { edgesOf } from '../../../src/swaps/planner/edges.ts';
import type { Problem } from '../../../src/swaps/planner/problem.ts';
import type { PlanRequest } from '../../../src/swaps/planner/request.ts';
import type { SmallCase } from './brute-force.ts';
import { slot, TariffCarrier, type Tariff } from './carrier.ts';

/** A tariff, and by whom. */
export interface NamedTariff extends Tariff {
  readonly carrier: string;
}

/** A portfolio of any size; everything is worth 1. */
export interface Portfolio extends SmallCase {
  readonly tariffs: readonly NamedTariff[];
}

const CARRIERS = ['account', 'exchange-orders', 'swaps'];

/**
 * A portfolio by a seed, so many slots and edges: holdings are spread by chance and targets by
 * another one, and some places are only passed through. Tariffs are like those of real services:
 * cheap and fixed by the account, a share by the others.
 */
export function portfolioOf(seed: number, slots: number, edges: number): Portfolio {
  const random = new Random(seed);
  const names = Array.from({ length: slots }, (_, at) => `A${at}@chain`);
  const hubs = Array.from({ length: Math.ceil(slots / 3) }, (_, at) => `H${at}@trading`);
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
  const places = [...names, ...hubs];
  const pairs = CARRIERS.flatMap((carrier) =>
    places.flatMap((from) =>
      places.filter((to) => to !== from).map((to) => ({ carrier, from, to })),
    ),
  );
  const tariffs = pairs
    .map((pair) => ({ pair, turn: random.unit() }))
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, edges)
    .map(({ pair }): NamedTariff => {
      const isAccount = pair.carrier === 'account';
      const fixed = isAccount ? random.integer(0, 25) : random.integer(0, 6);
      return {
        ...pair,
        fixed: String(fixed),
        share: (isAccount ? random.integer(0, 12) / 10_000 : random.integer(15, 60) / 10_000).toFixed(4), // prettier-ignore
        slip: pair.carrier === 'swaps' ? '0.005' : '0',
        minimum: random.chance(0.3) ? '40' : '0',
        maximum: random.chance(0.2) ? '600' : '1000000000',
      };
    });
  return { slots: made, tariffs, minimumValue: 25 };
}

/** What is asked of the planner: to the edges of bands, as a naive planner would. */
export function requestOf({ slots, tariffs, minimumValue }: Portfolio): PlanRequest {
  const priceOf = () => decimal('1');
  const names = [...new Set(tariffs.map(({ carrier }) => carrier))];
  return {
    id: 'p',
    targets: {
      slots: slots.map(({ name, weight, band, reserve }) => ({
        ...slot(name),
        weight: decimal(weight.toFixed(2)),
        band: decimal(band.toFixed(2)),
        reserve: decimal(String(reserve)),
      })),
      minimumValue: decimal(String(minimumValue)),
      maximumCost: decimal('1'),
    },
    holdings: slots.map(({ name, value: held }) => ({
      ...slot(name),
      amount: decimal(String(held)),
    })),
    priceOf,
    carriers: names.map(
      (name) =>
        new TariffCarrier(
          name,
          tariffs.filter(({ carrier }) => carrier === name),
          priceOf,
        ),
    ),
    now: () => micros(0),
    toEdges: true,
  };
}

/** The same as the search sees it once all tariffs are known. */
export function problemOf(portfolio: Portfolio): Problem {
  const { slots, tariffs, minimumValue } = portfolio;
  const total = slots.reduce((sum, { value }) => sum + value, 0);
  const edges = edgesOf(requestOf(portfolio).carriers);
  const curves = edges.map(({ carrier, from, to }) => {
    const ends = [carrier.name, slotName(from), slotName(to)].join(' ');
    const tariff = tariffs.find((one) => [one.carrier, one.from, one.to].join(' ') === ends);
    return curveOf(tariff, minimumValue);
  });
  return {
    edges,
    curves,
    total,
    margin: 0,
    byCostAlone: false,
    slots: slots.map((own) => ({
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
    curve.learn({ send, expected, least: expected * (1 - Number(slip)) });
  }
  return curve;
}

const NO_TARIFF: Omit<Tariff, 'from' | 'to'> = { fixed: '0', share: '1' };
