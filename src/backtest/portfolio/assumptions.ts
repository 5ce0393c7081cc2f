import { US_PER_SECOND } from '../../platform/time.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { PortfolioRecord } from '../result.ts';
import type {
  NetworkModel,
  ServiceModel,
  TransferModel,
} from '../../gateways/rebalancing/modelled/settings.ts';
import type { RunPortfolio } from './settings.ts';
import type { Span } from '../../gateways/rebalancing/modelled/span.ts';

/** How the inventory of a run was modelled, for a reader who has to judge its figures. */
export function portfolioAssumptions(model: RunPortfolio): readonly string[] {
  return [
    'Equity counts what wallets hold and what is on its way too, so that moving money is neither profit nor loss and what a move costs is a loss. Fills, round trips, fees, turnover and exposure are those of the orders of the strategy on the account; what moves cost stands with the portfolio.',
    'Plans are made and led by what a live bot has; only the services and networks are modelled. A move by a trade is an order on the exchange of the run that fills whole and at once within its limit or not at all.',
    `A wish is planned ${spanText(model.planning)} after it was given, with all offers of that moment.`,
    ...[...model.services].map(([name, service]) => serviceText(name, service)),
    ...[...model.networks].flatMap(([name, network]) => networkTexts(name, network)),
  ];
}

/** What a reader should doubt in what became of it. */
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
      `${counted(incomplete)} incomplete: moves failed, and what they left is told with them.`,
    );
  }
  if (underWay > 0) {
    warnings.push(
      'A rebalance was under way when the run ended: what is on its way counts as if it came back.',
    );
  }
  return warnings;
}

const counted = (count: number): string =>
  count === 1 ? '1 rebalance was' : `${count} rebalances were`;

function serviceText(name: string, model: ServiceModel): string {
  const { spread, impact, fee, slippage, accept, confirm, deliver, chances } = model;
  const chance = `no offer ${percent(chances.refused)}, expired ${percent(chances.expired)}, declined ${percent(chances.failed)}, refunded ${percent(chances.refunded)}`;
  return `${name}: an offer is the market price less ${share(spread)} and ${share(impact)} for each 1,000 of worth, less ${fee.toFixed()} of worth; up to ${share(slippage)} less may arrive. It is taken up in ${spanText(accept)}, the money is seen after ${spanText(confirm)} and delivered after ${spanText(deliver)}. Chances: ${chance}.`;
}

const networkTexts = (name: string, { withdrawal, deposit }: NetworkModel): readonly string[] => [
  transferText(`A withdrawal to ${name}`, withdrawal),
  transferText(`A deposit from ${name}`, deposit),
];

function transferText(what: string, { fees, takes, fails }: TransferModel): string {
  const costs = [...fees].map(([asset, fee]) => `${fee.toFixed()} ${asset}`);
  const cost = costs.length === 0 ? 'nothing' : costs.join(' or ');
  return `${what} costs ${cost}, takes ${spanText(takes)} and comes back with a chance of ${percent(fails)}.`;
}

function spanText(span: Span): string {
  switch (span.kind) {
    case 'fixed':
      return seconds(span.us);
    case 'uniform':
      return `${seconds(span.fromUs)} to ${seconds(span.toUs)}`;
    case 'exponential':
      return `${seconds(span.meanUs)} in the mean (exponentially)`;
  }
}

const seconds = (us: number): string => `${us / US_PER_SECOND} s`;

const share = (fraction: Decimal): string => `${fraction.times(100).toFixed()}%`;

const percent = (chance: number): string => `${Number((chance * 100).toPrecision(12))}%`;
