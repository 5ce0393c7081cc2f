import { describe, expect, test } from 'vitest';
import { readPlan, planText } from '../../../src/bot/rebalancing/texts.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { holdingName, type PriceOf } from '../../../src/model/portfolio.ts';
import { isRejection, type Rejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import type { Plan } from '../../../src/swaps/planner/plan.ts';
import { plan } from '../../../src/swaps/planner/planner.ts';
import { holding, TariffRoute, type Tariff, type TariffFee } from './tariff-route.ts';

/** What a transfer out of `hot` costs, of a coin that is no target. */
const FEE: TariffFee = { coin: 'ETH@hot', held: '0.01', expected: '0.002', most: '0.003' };

interface Case {
  readonly fee: TariffFee | undefined;
  readonly ethPrice?: string | undefined;
  readonly maximumCost?: string;
  readonly more?: readonly Tariff[];
  /** What `USDC@hot` has of the 1000. */
  readonly hot?: string;
}

/** USDC in three wallets, of which `hot` has all, and each of the others is to have a quarter. */
async function planned(given: Case): Promise<Plan | Rejection> {
  const { fee, ethPrice = '3000', maximumCost = '0.05', more = [], hot = '1000' } = given;
  const priceOf: PriceOf = (asset) =>
    asset === 'USDC' ? decimal('1') : ethPrice === '' ? undefined : decimal(ethPrice);
  const way = (to: string): Tariff => ({ from: 'USDC@hot', to, fixed: '0', share: '0', fee });
  const tariffs = [way('USDC@cold'), way('USDC@warm'), ...more];
  const holdings = [{ ...holding('USDC@hot'), amount: decimal(hot) }, { ...holding('USDC@cold'), amount: decimal('1000').minus(hot) }]; // prettier-ignore
  return plan({
    id: 'p',
    targets: {
      holdings: ([['USDC@hot', '0.5'], ['USDC@cold', '0.25'], ['USDC@warm', '0.25']] as const).map(([name, weight]) => ({ ...holding(name), weight: decimal(weight), band: decimal('0.05'), reserve: decimal('0') })), // prettier-ignore
      minimumValue: decimal('1'),
      maximumCost: decimal(maximumCost),
    },
    holdings,
    priceOf,
    routes: [new TariffRoute('wallets', tariffs, priceOf)],
    now: () => micros(0),
  });
}

async function made(given: Case): Promise<Plan> {
  const found = await planned(given);
  if (isRejection(found)) throw new Error(found.message);
  return found;
}

async function refused(given: Case): Promise<Rejection> {
  const found = await planned(given);
  if (isRejection(found)) return found;
  throw new Error('it was planned');
}

const ways = ({ plan: { transfers } }: Plan): readonly string[] =>
  transfers.map(({ offer }) => `${holdingName(offer.from)} ${holdingName(offer.to)}`);

describe('a plan with fees of networks', () => {
  test('costs what they are worth, in all and for each transfer, and at the most', async () => {
    const found = await made({ fee: FEE });
    expect(found.transfers.map(({ cost }) => cost)).toEqual([decimal('6'), decimal('6')]);
    expect([found.cost, found.costAtMost]).toEqual([decimal('12'), decimal('18')]);
    expect(found.fees).toEqual([
      { coin: holding('ETH@hot'), expected: decimal('0.004'), most: decimal('0.006'), value: decimal('12') }, // prettier-ignore
    ]);
    expect(found.warnings).toEqual([]);
    // It is kept and read again as it is, with what its transfers may cost.
    expect(readPlan(planText(found.plan))).toEqual(found.plan);
  });

  test('is refused where they make it dearer than it may be, and says how much they are', async () => {
    expect(await planned({ fee: undefined, maximumCost: '0.02' })).not.toHaveProperty('code');
    const { code, message } = await refused({ fee: FEE, maximumCost: '0.02' });
    expect(code).toBe('cost-above-maximum');
    expect(message).toContain('costs 12, 12 of it as fees of networks, to move');
  });

  test('goes by a way without a fee where that costs less, and by the other where it does not', async () => {
    const free = (share: string): Tariff => ({ from: 'USDC@warm', to: 'USDC@cold', fixed: '0', share }); // prettier-ignore
    expect(ways(await made({ fee: FEE, more: [free('0.001')] }))).toEqual(['USDC@hot USDC@warm', 'USDC@warm USDC@cold']); // prettier-ignore
    expect(ways(await made({ fee: FEE, more: [free('0.1')] }))).toEqual(['USDC@hot USDC@cold', 'USDC@hot USDC@warm']); // prettier-ignore
  });

  test('names a coin without a price, and does not count it', async () => {
    const found = await made({ fee: FEE, ethPrice: '', maximumCost: '0' });
    expect(found.cost.isZero()).toBe(true);
    expect(found.fees).toEqual([{ coin: holding('ETH@hot'), expected: decimal('0.004'), most: decimal('0.006') }]); // prettier-ignore
    expect(found.warnings).toEqual([
      'ETH has no price, so that the fees of 0.004 ETH@hot are not counted in what the transfers cost: set prices.ETH.',
    ]);
    expect([...found.plan.prices.keys()]).toEqual(['USDC']);
  });

  test.each(['3000', ''])(
    'never takes more of a coin than there is (price %j), and says what is missing',
    async (ethPrice) => {
      expect(ways(await made({ fee: { ...FEE, held: '0.006' }, ethPrice }))).toHaveLength(2);
      expect(await refused({ fee: { ...FEE, held: '0.0059' }, ethPrice })).toEqual({
        code: 'plan-impossible',
        field: 'ETH@hot',
        message:
          'The fees of the transfers may come to 0.006 ETH@hot, and the 0.0059 that are there do not suffice for them: send some there first.',
      });
    },
  );

  test('makes one transfer less where there is coin for one, if another way serves', async () => {
    const more = [{ from: 'USDC@warm', to: 'USDC@cold', fixed: '0', share: '0.04' }];
    const short = { fee: { ...FEE, held: '0.0059' }, more };
    expect(ways(await made(short))).toEqual(['USDC@hot USDC@warm', 'USDC@warm USDC@cold']);
  });

  test('goes without a wallet that has no coin, and says so', async () => {
    const more: Tariff[] = ['USDC@cold', 'USDC@warm'].map((to) => ({ from: 'USDC@hot', to, fixed: '1', share: '0' })); // prettier-ignore
    const poor = { ...FEE, held: '0.001' };
    const { code, message } = await refused({ fee: poor });
    expect(code).toBe('plan-impossible');
    expect(message).toContain('ETH@hot has 0.001.');
    const priceOf = (): ReturnType<PriceOf> => decimal('1');
    const others = new TariffRoute('swaps', more, priceOf);
    const wallets = new TariffRoute('wallets', more.map((one) => ({ ...one, fee: poor })), priceOf); // prettier-ignore
    const found = await plan({
      id: 'p',
      targets: {
        holdings: [
          { ...holding('USDC@hot'), weight: decimal('0.5'), band: decimal('0.05'), reserve: decimal('0') }, // prettier-ignore
          { ...holding('USDC@cold'), weight: decimal('0.5'), band: decimal('0.05'), reserve: decimal('0') }, // prettier-ignore
        ],
        minimumValue: decimal('1'),
        maximumCost: decimal('0.05'),
      },
      holdings: [{ ...holding('USDC@hot'), amount: decimal('1000') }],
      priceOf,
      routes: [others, wallets],
      now: () => micros(0),
    });
    if (isRejection(found)) throw new Error(found.message);
    expect(found.plan.transfers.map(({ offer }) => offer.route)).toEqual(['swaps']);
    expect(found.warnings).toEqual(['ETH@hot has 0.001.']);
  });

  test('moves nothing of which fees would leave next to nothing', async () => {
    const fee = { ...FEE, expected: '0.003', held: '1' };
    // Nothing that a band has room for is worth the fee of 600.
    const { code } = await refused({ fee, hot: '750', ethPrice: '200000', maximumCost: '1' });
    expect(code).toBe('plan-impossible');
  });
});

test('a coin that is a target pays fees out of its reserve, which transfers leave alone', async () => {
  const priceOf: PriceOf = () => decimal('1');
  const fee: TariffFee = { coin: 'ETH@hot', held: '100', expected: '2', most: '3' };
  const tariffs: Tariff[] = [
    { from: 'ETH@hot', to: 'ETH@cold', fixed: '0', share: '0', fee: undefined },
    { from: 'USDC@hot', to: 'USDC@cold', fixed: '0', share: '0', fee },
  ];
  const amounts = { 'ETH@hot': ['40', '42', '40'], 'ETH@cold': ['60', '30', '0'], 'USDC@hot': ['0', '10', '0'] } as const; // prettier-ignore
  const rest = { ...holding('USDC@cold'), weight: decimal('1'), band: decimal('0'), reserve: decimal('0') }; // prettier-ignore
  const fixed = Object.entries(amounts).map(([name, [amount, band, reserve]]) => ({ ...holding(name), amount: decimal(amount), band: decimal(band), reserve: decimal(reserve) })); // prettier-ignore
  const found = await plan({
    id: 'p',
    targets: {
      holdings: [...fixed, rest],
      minimumValue: decimal('1'),
      maximumCost: decimal('1'),
    },
    holdings: [
      { ...holding('ETH@hot'), amount: decimal('41') },
      { ...holding('ETH@cold'), amount: decimal('59') },
      { ...holding('USDC@hot'), amount: decimal('100') },
    ],
    priceOf,
    routes: [new TariffRoute('wallets', tariffs, priceOf)],
    now: () => micros(0),
  });
  if (isRejection(found)) throw new Error(found.message);
  expect(ways(found)).toEqual(['USDC@hot USDC@cold']);
  // 41 less the most of the fee is below the reserve of 40.
  expect(found.after.map(({ amount }) => amount.toFixed()).slice(0, 2)).toEqual(['38', '59']);
  expect(found.cost).toEqual(decimal('2'));
});
