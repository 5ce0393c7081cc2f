import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { holdingName } from '../../../src/model/portfolio.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import type { Plan } from '../../../src/swaps/planner/plan.ts';
import { plan } from '../../../src/swaps/planner/planner.ts';
import type { PlanRequest } from '../../../src/swaps/planner/request.ts';
import { TariffRoute, type Tariff } from './tariff-route.ts';
import { requestOf, type NamedTariff } from './portfolios.ts';

const free = { fixed: '0', share: '0' };

/** A and B are out of their bands, and C is in its own; a transfer takes what the tariffs say. */
function request(tariffs: readonly Tariff[], maximumCost = '1'): PlanRequest {
  const named = tariffs.map((tariff): NamedTariff => ({ route: 'c', ...tariff }));
  const holding = (name: string, value: number, weight: number) => ({ name, value, weight, band: 0.05, reserve: 0 }); // prettier-ignore
  const holdings = [holding('A@x', 500, 0.3), holding('B@x', 100, 0.3), holding('C@x', 400, 0.4)];
  const asked = requestOf({ holdings, tariffs: named, minimumValue: 10 });
  return { ...asked, targets: { ...asked.targets, maximumCost: decimal(maximumCost) } };
}

async function planned(asked: PlanRequest): Promise<Plan> {
  const found = await plan(asked);
  if (isRejection(found)) throw new Error(found.message);
  return found;
}

const pathOf = ({ transfers }: Plan): readonly string[] =>
  transfers.map(({ transfer: { offer } }) => `${holdingName(offer.from)} ${holdingName(offer.to)}`);

test('says why each transfer is made, and why holdings are left alone', async () => {
  const tariffs = [
    { ...free, from: 'A@x', to: 'H@y' },
    { ...free, from: 'H@y', to: 'B@x' },
  ];
  const found = await planned(request(tariffs));
  expect(found.transfers.map(({ why }) => why)).toEqual([
    'A@x at 50 % is above its band, which ends at 35 %; it goes on from H@y.',
    'It passes on what transfer 1 brings to H@y; B@x at 10 % is below its band, which begins at 25 %.',
  ]);
  expect(found.leftAlone.map(({ why }) => why)).toEqual([
    'C@x at 40 % is in its band of 40 % ± 5 %, and no other holding needs it.',
  ]);
});

test('a holding within its band serves where nothing else does, and what it is for is said', async () => {
  const tariffs = [
    { ...free, from: 'A@x', to: 'C@x', maximum: '190' },
    { ...free, from: 'C@x', to: 'B@x', maximum: '170' },
  ];
  const found = await planned(request(tariffs));
  expect(found.after.every(({ isIn }) => isIn)).toBe(true);
  expect(pathOf(found)).toEqual(['A@x C@x', 'C@x B@x']);
  expect(found.transfers[0]?.why).toContain('A@x at 50 % is above its band');
  expect(found.transfers[1]?.why).toContain('B@x at 10 % is below its band');
});

test('holdings within their bands serve too where the plan would cost too much otherwise', async () => {
  // Straight it is dear; C gives and takes for next to nothing.
  const tariffs = [
    { from: 'A@x', to: 'B@x', fixed: '20', share: '0' },
    { ...free, from: 'A@x', to: 'C@x', maximum: '160' },
    { ...free, from: 'C@x', to: 'B@x', maximum: '155' },
  ];
  const straight = await planned(request(tariffs));
  const around = await planned(request(tariffs, '0.01'));
  expect(straight.cost.toNumber()).toBeCloseTo(0, 6);
  expect(around.cost.toNumber()).toBeCloseTo(0, 6);
  const kept = [tariffs[0], { ...free, from: 'A@x', to: 'C@x', maximum: '160' }, { ...free, from: 'C@x', to: 'B@x', minimum: '165' }]; // prettier-ignore
  const few = await planned(request(kept));
  const cheap = await planned(request(kept, '0.01'));
  expect(pathOf(few)).toEqual(['A@x B@x']);
  expect(few.cost.toNumber()).toBeCloseTo(20, 6);
  expect(pathOf(cheap)).toEqual(['A@x C@x', 'C@x B@x']);
  expect(cheap.cost.toNumber()).toBeCloseTo(0, 6);
});

test('goes on without a route that throws, and names it where nothing else helps', async () => {
  const asked = request([{ ...free, from: 'A@x', to: 'B@x' }]);
  const broken = new TariffRoute('broken', [{ ...free, from: 'A@x', to: 'B@x' }], () => decimal('1')); // prettier-ignore
  broken.offer = () => Promise.reject(new Error('The service of broken is down.'));
  const found = await planned({ ...asked, routes: [broken, ...asked.routes] });
  expect(found.transfers.map(({ transfer }) => transfer.offer.route)).toEqual(['c']);
  expect(await plan({ ...asked, routes: [broken] })).toMatchObject({
    code: 'plan-impossible',
    field: 'A@x',
    message:
      'A@x at 50 % is above its band, which ends at 35 %, and no transfers bring every holding into its band: A@x to B@x by broken: The service of broken is down.',
  });
});

test('says that a reserve is in the way, or that what there is does not suffice', async () => {
  const asked = request([{ ...free, from: 'A@x', to: 'B@x' }]);
  const holdings = asked.targets.holdings.map((holding) => (holding.asset === 'A' ? { ...holding, reserve: decimal('450') } : holding)); // prettier-ignore
  expect(await plan({ ...asked, targets: { ...asked.targets, holdings } })).toMatchObject({
    code: 'plan-impossible',
    message: expect.stringContaining('its reserve of 450 is more than its band has room for') as string, // prettier-ignore
  });
  const little = request([{ ...free, from: 'A@x', to: 'B@x', maximum: '100' }]);
  expect(await plan(little)).toMatchObject({
    code: 'plan-impossible',
    message: expect.stringContaining('too much') as string,
  });
});

test.each([
  ['B@moon', 'moon is no location of this portfolio, which has x.'],
  ['B@x', 'no route of 1 transfers anything into it.'],
])('a target %s that nothing reaches is named before others', async (name, why) => {
  const asked = request([{ ...free, from: 'A@x', to: 'C@x' }]);
  const [, location = ''] = name.split('@');
  const targets = asked.targets.holdings.map((one) =>
    one.asset === 'B' ? { ...one, location } : one,
  );
  const holdings = asked.holdings.filter(({ asset }) => location === 'x' || asset !== 'B');
  const found = await plan({
    ...asked,
    holdings,
    targets: { ...asked.targets, holdings: targets },
  });
  if (!isRejection(found)) throw new Error('there is a plan');
  expect(found).toMatchObject({ code: 'plan-impossible', field: name });
  expect(found.message.endsWith(why)).toBe(true);
});
