import { US_PER_SECOND } from '../../platform/time.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { PortfolioRecord } from '../result.ts';
import type { NetworkModel, ServiceModel } from '../../gateways/rebalancing/simulated/settings.ts';
import type { RunPortfolio } from './settings.ts';
import type { Span } from '../../platform/span.ts';

/** How transfers are modelled, for the reader of the figures. */
export function portfolioAssumptions(model: RunPortfolio): readonly string[] {
  return [
    'Equity counts what wallets hold and what is in flight too, so that a transfer is neither profit nor loss and its costs are a loss. Fills, round trips, fees, turnover and exposure are those of the orders of the strategy on the account; the costs of transfers stand with the portfolio.',
    'Plans are made and led by what a live bot has; the services and networks are the simulated ones of a venue, on the time of the run. A transfer by a trade is an order on the exchange of the run that fills whole and at once within its limit or not at all.',
    `A rebalancing is planned ${spanText(model.planning)} after it was given, with all offers of that moment.`,
    ...[...model.services].map(([name, service]) => serviceText(name, service)),
    ...[...model.networks].flatMap(([name, network]) => networkTexts(name, network)),
  ];
}

/** Why the figures of the portfolio may be wrong. */
export function portfolioWarnings({ requests, rebalances }: PortfolioRecord): readonly string[] {
  const { refused, rejections, firstRejections } = requests;
  const warnings: string[] = [];
  if (refused > 0) {
    const reasons = Object.entries(rejections).map(
      ([code, count]) =>
        `${count} ${code} (the first: ${firstRejections[code]?.replace(/\.$/, '') ?? ''})`,
    );
    warnings.push(`${counted(refused)} refused: ${reasons.join(', ')}.`);
  }
  const { incomplete, underWay } = rebalances;
  if (incomplete > 0) {
    warnings.push(
      `${counted(incomplete)} incomplete: transfers failed, and what they left is listed with them.`,
    );
  }
  if (underWay > 0) {
    warnings.push(
      'A rebalance was under way when the run ended: what is in flight counts as if it came back.',
    );
  }
  return warnings;
}

const counted = (count: number): string =>
  count === 1 ? '1 rebalance was' : `${count} rebalances were`;

function serviceText(name: string, model: ServiceModel): string {
  const { spread, slippage, accept, deliver, chances } = model;
  const offers = `no offer ${percent(chances.refused)}, expired ${percent(chances.expired)}, refunded ${percent(chances.refunded)}`;
  const common = `the price less ${share(spread)}`;
  const taken = `It is taken up in ${spanText(accept)}`;
  if (model.kind === 'exchangeOrder') {
    const fees = [...model.networkFees].map(([asset, fee]) => `${fee.toFixed()} ${asset}`);
    const cost = fees.length === 0 ? '' : `, less ${fees.join(' or ')} for the payout`;
    return `${name}: an exchange order brings ${common}${cost}. ${taken}, and paid out ${spanText(deliver)} after the payment. Chances: ${offers}.`;
  }
  const { impact, fee, confirm } = model;
  return `${name}: a swap brings ${common} and ${share(impact)} for each 1,000 of value, less ${fee.toFixed()} of value; up to ${share(slippage)} less may arrive. ${taken}, the money is in escrow after ${spanText(confirm)} and delivered after ${spanText(deliver)}. Chances: ${offers}, declined ${percent(model.chances.failed)}.`;
}

function networkTexts(name: string, { withdrawal, deposit }: NetworkModel): readonly string[] {
  const costs = [...withdrawal.fees].map(([asset, fee]) => `${fee.toFixed()} ${asset}`);
  const cost = costs.length === 0 ? 'nothing' : costs.join(' or ');
  return [
    `A withdrawal to ${name} costs ${cost}, is sent after ${spanText(withdrawal.takes)} and comes back with a chance of ${percent(withdrawal.fails)}.`,
    `A deposit from ${name} is credited ${spanText(deposit.takes)} after its confirmation and given up with a chance of ${percent(deposit.fails)}.`,
  ];
}

function spanText(span: Span): string {
  if (typeof span === 'number') return seconds(span);
  return span.kind === 'uniform'
    ? `${seconds(span.fromUs)} to ${seconds(span.toUs)}`
    : `${seconds(span.meanUs)} in the mean (exponentially)`;
}

const seconds = (us: number): string => `${us / US_PER_SECOND} s`;

const share = (fraction: Decimal): string => `${fraction.times(100).toFixed()}%`;

const percent = (chance: number): string => `${Number((chance * 100).toPrecision(12))}%`;
