import { describe, expect, test } from 'vitest';
import { decimal, type Decimal } from '../../../src/model/decimal.ts';
import { holdingName, type HoldingKey } from '../../../src/model/portfolio.ts';
import { micros } from '../../../src/platform/time.ts';
import type { NetworkFee, Offer } from '../../../src/swaps/execution/transfer-route.ts';
import { edgesOf } from '../../../src/swaps/planner/edges.ts';
import { Inquiry } from '../../../src/swaps/planner/inquiry.ts';
import type { Curve } from '../../../src/swaps/planner/curve.ts';
import { realize } from '../../../src/swaps/planner/realizing.ts';
import { holding } from './tariff-route.ts';

/** What a holding has and is to have; H is no target. */
interface Row {
  readonly held: string;
  readonly amount: string;
  readonly band: string;
  readonly reserve?: string;
}

interface Given {
  readonly rows: Readonly<Record<string, Row>>;
  /** `AB`: what the search sends by it, and what it is to bring. */
  readonly flows: Readonly<Record<string, readonly [send: number, least: number]>>;
  /** Taken off what is sent, and off what is expected. */
  readonly cost?: string;
  readonly slip?: string;
  readonly fees?: Readonly<Record<string, Partial<NetworkFee>>>;
  /** Multiples that a pair sends. */
  readonly step?: string;
  readonly prepare?: (curves: Readonly<Record<string, Curve>>) => void;
  readonly inBand?: readonly string[];
  readonly offers?: number;
}

const FEE: NetworkFee = {
  of: 'payment',
  coin: holding('G@x'),
  expected: decimal('1'),
  most: decimal('2'),
  held: decimal('10'),
  isIncluded: false,
};

async function realized(given: Given) {
  const { rows, flows, cost = '0', slip = '0', fees = {}, step, inBand = [] } = given;
  const titleOf = (from: HoldingKey, to: HoldingKey): string => `${from.asset}${to.asset}`;
  const route = {
    name: 'c',
    pairs: () =>
      Object.keys(flows).map((pair) => [holding(`${pair[0]}@x`), holding(`${pair[1]}@x`)] as const),
    offer: (from: HoldingKey, to: HoldingKey, asked: Decimal): Promise<Offer> => {
      const send = step === undefined ? asked : asked.divToInt(step).times(step);
      const fee = fees[titleOf(from, to)];
      const expected = send.minus(cost);
      return Promise.resolve({
        ...{ route: 'c', kind: 'swap', from, to, send, expected, least: expected.minus(slip) },
        ...(fee !== undefined && { networkFee: { ...FEE, ...fee } }),
        ...{ expiresAt: micros(1), durationUs: 1, terms: {} },
      });
    },
  };
  const edges = edgesOf([route]);
  const priceOf = () => decimal('1');
  const limits = { offers: given.offers ?? 100, atOnce: 4, work: 1 };
  const inquiry = new Inquiry(edges, decimal('10'), priceOf, limits);
  const titles = edges.map(({ from, to }) => titleOf(from, to));
  given.prepare?.(Object.fromEntries(titles.map((pair, at) => [pair, inquiry.curves[at]])));
  const names = Object.keys(rows);
  const targets = {
    holdings: names.map((name) => {
      const { amount, band, reserve = '0' } = rows[name];
      return { ...holding(`${name}@x`), amount: decimal(amount), band: decimal(band), reserve: decimal(reserve) }; // prettier-ignore
    }),
    minimumValue: decimal('10'),
    maximumCost: decimal('1'),
  };
  const holdings = names.map((name) => ({
    ...holding(`${name}@x`),
    amount: decimal(rows[name].held),
  }));
  const seen = names.map((name) => ({
    ...{ name: `${name}@x`, value: 0, weight: 0, band: 0, reserve: 0 },
    isIn: inBand.includes(name),
  }));
  const sent = new Map(
    titles.map((pair, at) => {
      const [send, least] = flows[pair];
      return [at, { send, least, expected: least }] as const;
    }),
  );
  const request = { id: 'p', targets, holdings, priceOf, routes: [route], now: () => micros(0) };
  const found = { flows: sent, movedInBand: 0, cost: 0 };
  const outcome = await realize(request, { edges, holdings: seen }, found, inquiry);
  return { outcome, inquiry, titles };
}

/** Each transfer of an outcome: `AB 200`, and what of it comes by others. */
async function transfersOf(given: Given): Promise<readonly string[]> {
  const { outcome } = await realized(given);
  if (outcome.kind !== 'whole') throw new Error(outcome.kind);
  return outcome.transfers.map(({ id, offer: { from, to, send }, after }) => {
    const sources = after.map(({ transfer, amount }) => ` ${transfer}:${amount.toFixed()}`);
    return `${id} ${from.asset}${to.asset} ${send.toFixed()}${sources.join('')}`;
  });
}

const A = { held: '1000', amount: '800', band: '10' };
const B = { held: '0', amount: '200', band: '10' };

describe('the amounts of transfers', () => {
  test('are rounded up to nine digits, so that enough arrives', async () => {
    const flows = { AB: [200.0000001, 200.0000001] } as const;
    expect(await transfersOf({ rows: { A, B }, flows })).toEqual(['1 AB 200.000001']);
  });

  test('are rounded down where the route takes no more', async () => {
    const flows = { AB: [200.0000009, 200] } as const;
    const at =
      (maximum: number) =>
      ({ AB }: Readonly<Record<string, Curve>>) => {
        AB.maximum = maximum;
      };
    const given = { rows: { A, B }, flows };
    expect(await transfersOf({ ...given, prepare: at(200.0000009) })).toEqual(['1 AB 200']);
    // The bound is as near as one in a hundred million.
    expect(await transfersOf({ ...given, prepare: at(200.000002) })).toEqual(['1 AB 200']);
    expect(await transfersOf({ ...given, prepare: at(200.00001) })).toEqual(['1 AB 200.000001']);
  });

  test('are no more than a holding has above its reserve', async () => {
    const rows = { A: { ...A, reserve: '799.9999995' }, B };
    const flows = { AB: [200.0000009, 200] } as const;
    expect(await transfersOf({ rows, flows })).toEqual(['1 AB 200.0000005']);
  });

  test('pass on all that came to a location, and what came first goes first', async () => {
    const rows = { A, B: { ...A }, C: { held: '0', amount: '298', band: '10' }, D: { held: '0', amount: '100', band: '10' } }; // prettier-ignore
    const flows = { AH: [200, 199], BH: [200, 199], HC: [298, 297], HD: [100, 99] } as const;
    expect(await transfersOf({ rows, flows, cost: '1' })).toEqual([
      ...['1 AH 200', '2 BH 200'],
      ...['3 HC 298 1:199 2:99', '4 HD 100 2:100'],
    ]);
  });

  test('are what is left on a way that is not at a bound of its route', async () => {
    const rows = { A, C: { held: '0', amount: '100', band: '10' }, D: { held: '0', amount: '100', band: '10' } }; // prettier-ignore
    const flows = { AH: [200.0000004, 200], HC: [100, 100], HD: [100, 100] } as const;
    const given = { rows, flows };
    // 200.000001 come, and D takes the rest, unless it is at a bound.
    expect((await transfersOf(given)).slice(1)).toEqual(['2 HC 100 1:100', '3 HD 100.000001 1:100.000001']); // prettier-ignore
    const most = await transfersOf({ ...given, prepare: ({ HD }) => { HD.maximum = 100; } }); // prettier-ignore
    expect(most.slice(1)).toEqual(['2 HD 100 1:100', '3 HC 100.000001 1:100.000001']);
    const least = await transfersOf({ ...given, prepare: ({ HD }) => { HD.raiseMinimum(100); } }); // prettier-ignore
    expect(least.slice(1)).toEqual(['2 HD 100 1:100', '3 HC 100.000001 1:100.000001']);
    const off = await transfersOf({ ...given, prepare: ({ HD }) => { HD.maximum = 100.00001; HD.raiseMinimum(99.9999); } }); // prettier-ignore
    expect(off.slice(1)).toEqual(['2 HC 100 1:100', '3 HD 100.000001 1:100.000001']);
  });

  test('of a target that passes on as much as comes leave its own alone', async () => {
    const rows = { A, B: { held: '50', amount: '50', band: '0' }, C: { held: '0', amount: '200', band: '10' } }; // prettier-ignore
    const even = { AB: [200.0000004, 200.0000004], BC: [200.0000004, 200.0000004] } as const;
    expect(await transfersOf({ rows, flows: even })).toEqual(['1 AB 200.000001', '2 BC 200.000001 1:200.000001']); // prettier-ignore
    // Half a unit less comes than was estimated: that much less goes on.
    const even200 = { AB: [200, 200], BC: [200, 200] } as const;
    expect(await transfersOf({ rows, flows: even200, cost: '0.5' })).toEqual(['1 AB 200', '2 BC 199.5 1:199.5']); // prettier-ignore
    const wide = { ...rows, B: { ...rows.B, band: '20' } };
    const more = { AB: [190, 190], BC: [200, 200] } as const;
    expect(await transfersOf({ rows: wide, flows: more })).toEqual(['1 AB 190', '2 BC 200 1:190']);
    const fewer = { AB: [200, 200], BC: [190, 190] } as const;
    expect(await transfersOf({ rows: wide, flows: fewer })).toEqual(['1 AB 200', '2 BC 190 1:190']);
  });
});

describe('transfers are not made', () => {
  test('where a holding would be out of its band, and by how much is said', async () => {
    const rows = { A, B };
    const { outcome } = await realized({ rows, flows: { AB: [210.5, 210.5] } });
    expect(outcome).toMatchObject({ kind: 'outside' });
    expect(outcome.kind === 'outside' && outcome.by.toFixed()).toBe('0.5');
    // Exactly at the edge is in; what may arrive less counts.
    expect((await realized({ rows, flows: { AB: [210, 210] } })).outcome.kind).toBe('whole');
    const unlucky = await realized({ rows, flows: { AB: [190, 190] }, slip: '0.25' });
    expect(unlucky.outcome.kind === 'outside' && unlucky.outcome.by.toFixed()).toBe('0.25');
  });

  test('where no more offers may be asked for', async () => {
    const rows = { A, B: { ...B, amount: '100' }, C: { ...B, amount: '100' } };
    const flows = { AB: [100, 100], AC: [100, 100] } as const;
    expect((await realized({ rows, flows, offers: 1 })).outcome).toEqual({ kind: 'spent' });
    expect((await realized({ rows, flows, offers: 2 })).outcome.kind).toBe('whole');
  });

  test('where there is nothing to send', async () => {
    const rows = { A: { ...A, reserve: '1000' }, B };
    const { outcome, inquiry } = await realized({ rows, flows: { AB: [200, 200] } });
    expect(outcome).toEqual({ kind: 'refused' });
    expect(inquiry.asked).toBe(0);
  });

  test('where fees and what is sent beyond what came are more than there is of the coin', async () => {
    const rows = {
      Z: { held: '100', amount: '0', band: '0' },
      A: { held: '1000', amount: '950', band: '5' },
      B: { held: '0', amount: '150', band: '0' },
    };
    const flows = { ZA: [100, 100], AB: [150, 150] } as const;
    const fees = (held: string) => ({ AB: { coin: holding('A@x'), held: decimal(held) } });
    expect((await realized({ rows, flows, fees: fees('52') })).outcome.kind).toBe('whole');
    expect((await realized({ rows, flows, fees: fees('51.9') })).outcome.kind).toBe('refused');
  });

  test('below the minimum value, and the next one is to be larger', async () => {
    const rows = { A: { ...A, amount: '990' }, B: { ...B, amount: '10' } };
    const { outcome, inquiry } = await realized({ rows, flows: { AB: [10, 10] }, step: '0.3' });
    expect(outcome).toEqual({ kind: 'refused' });
    // 9.9 are a tenth too little.
    expect(inquiry.curves[0].minimum).toBeCloseTo(10.2, 12);
    const exact = await realized({ rows, flows: { AB: [10, 10] }, step: '2.5' });
    expect(exact.outcome.kind).toBe('whole');
    expect(exact.inquiry.curves[0].minimum).toBe(10);
  });

  test('where fees and what is sent of a coin come to more than there is', async () => {
    const rows = { A, B: { ...B, amount: '100' }, C: { ...B, amount: '100' } };
    const flows = { AB: [100, 100], AC: [100, 100] } as const;
    const both = (held: string) => ({ AB: { held: decimal(held) }, AC: { held: decimal(held) } });
    expect((await realized({ rows, flows, fees: both('4') })).outcome.kind).toBe('whole');
    expect((await realized({ rows, flows, fees: both('3.99') })).outcome).toEqual({
      kind: 'refused',
    });
    // What is included is part of what is sent, and a wallet that does not say has enough.
    const included = { AB: { held: decimal('1'), isIncluded: true }, AC: { held: undefined } };
    expect((await realized({ rows, flows, fees: included })).outcome.kind).toBe('whole');
    const own = (held: string) => ({ AB: { coin: holding('A@x'), held: decimal(held) } });
    const wide = { ...rows, A: { ...A, band: '20' } };
    expect((await realized({ rows: wide, flows, fees: own('202') })).outcome.kind).toBe('whole');
    expect((await realized({ rows: wide, flows, fees: own('201') })).outcome.kind).toBe('refused');
    // One that another coin pays has nothing to do with it.
    const others = { AB: { held: decimal('2') }, AC: { coin: holding('F@x'), held: decimal('2') } };
    expect((await realized({ rows, flows, fees: others })).outcome.kind).toBe('whole');
  });
});

describe('fees that a target pays', () => {
  const rows = { A, B, G: { held: '50', amount: '50', band: '1' } };
  const fees = { AB: { expected: decimal('3'), most: decimal('4'), held: decimal('50') } };
  const flows = { AB: [200, 200] } as const;

  test('may bring a holding out of its band that was in it and only pays', async () => {
    const { outcome } = await realized({ rows, flows, fees, inBand: ['G'] });
    if (outcome.kind !== 'whole') throw new Error(outcome.kind);
    expect(outcome.amounts.least.get('G@x')?.toFixed()).toBe('46');
    expect(outcome.amounts.expected.get('G@x')?.toFixed()).toBe('47');
  });

  test('count for a holding that was out, and for one that is moved', async () => {
    const out = await realized({ rows, flows, fees, inBand: ['A', 'B'] });
    expect(out.outcome.kind === 'outside' && out.outcome.by.toFixed()).toBe('3');
    const moved = await realized({ rows, flows: { ...flows, GB: [10, 10] }, fees, inBand: ['G'] });
    expect(moved.outcome.kind === 'outside' && moved.outcome.by.toFixed()).toBe('13');
  });

  test('of several transfers count together', async () => {
    const two = { ...rows, C: { ...B }, A: { ...A, amount: '600' } };
    const both = { AB: fees.AB, AC: fees.AB };
    const { outcome } = await realized({ rows: two, flows: { AB: [200, 200], AC: [200, 200] }, fees: both, inBand: ['G'] }); // prettier-ignore
    if (outcome.kind !== 'whole') throw new Error(outcome.kind);
    expect(outcome.amounts.least.get('G@x')?.toFixed()).toBe('42');
    expect(holdingName(outcome.transfers[0].edge.to)).toBe('B@x');
  });
});
