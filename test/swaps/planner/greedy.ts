import type { NamedTariff, Portfolio } from './portfolios.ts';

/**
 * Transfers as a person would make them who looks at one at a time: as long as a holding is out of
 * its band, the cheapest single transfer from what holds most too much to what holds most too
 * little, aimed at the middle of bands. Flows by tariff; nothing where it is stuck.
 */
export function greedy({
  holdings,
  tariffs,
  minimumValue,
}: Portfolio): readonly number[] | undefined {
  const total = holdings.reduce((sum, { value }) => sum + value, 0);
  const over = new Map(holdings.map(({ name, value, weight }) => [name, value - weight * total]));
  const flows = tariffs.map(() => 0);
  const isOut = (): boolean =>
    holdings.some(({ name, band }) => Math.abs(over.get(name) ?? 0) > 0.98 * band * total);
  for (let turn = 0; turn < 3 * holdings.length && isOut(); turn += 1) {
    const tries = tariffs.flatMap((tariff, at) => {
      const amount = amountOf(tariff, over, flows[at] ?? 0, minimumValue);
      return amount === undefined ? [] : [{ at, tariff, amount, price: lossOf(tariff, amount) / amount }]; // prettier-ignore
    });
    const best = tries.toSorted((a, b) => a.price - b.price)[0];
    if (best === undefined) return undefined;
    const { at, tariff, amount } = best;
    flows[at] = amount;
    over.set(tariff.from, (over.get(tariff.from) ?? 0) - amount);
    over.set(tariff.to, (over.get(tariff.to) ?? 0) + amount - lossOf(tariff, amount));
  }
  return isOut() ? undefined : flows;
}

/** What would go straight from what has too much to what has too little; each tariff serves once. */
function amountOf(
  { from, to, minimum = '0', maximum = '1000000000' }: NamedTariff,
  over: ReadonlyMap<string, number>,
  used: number,
  minimumValue: number,
): number | undefined {
  const amount = Math.min(over.get(from) ?? 0, -(over.get(to) ?? 0), Number(maximum));
  return used > 0 || amount < Math.max(minimumValue, Number(minimum), 1) ? undefined : amount;
}

const lossOf = ({ fixed, share }: NamedTariff, amount: number): number =>
  Number(fixed) + Number(share) * amount;
