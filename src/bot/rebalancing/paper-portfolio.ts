import { Inventory } from '../../gateways/rebalancing/inventory.ts';
import { routesOf } from '../../gateways/rebalancing/simulated/routes.ts';
import { valueOf, type MarketPrices } from '../../gateways/rebalancing/simulated/market-prices.ts';
import { LocalRebalancer } from '../../gateways/rebalancing/simulated/local-rebalancer.ts';
import { servicesVenue } from '../../gateways/rebalancing/simulated/services.ts';
import type { PortfolioModel } from '../../gateways/rebalancing/simulated/settings.ts';
import { LocalWire } from '../../gateways/rebalancing/simulated/wire.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import { hasEnded, holdingName, type Holding, type PriceOf } from '../../model/portfolio.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { PaperAccount } from '../paper/account.ts';
import { gated, limitsOf, type InventorySurroundings } from './inventory.ts';
import { RebalancingJournal } from './journal.ts';
import { PaperServices } from './paper-services.ts';

/** Key of the state of the services in the journal of the account. */
const KEPT = 'paperPortfolio';

export interface PaperPortfolioParts extends InventorySurroundings {
  readonly model: PortfolioModel;
  readonly everyUs: number;
  /** The account of the portfolio. */
  readonly paper: PaperAccount;
  readonly context: AccountContext;
  /** Path of the journal of transfers. */
  readonly path: string;
  /** Called where the journal cannot be written: nothing may be moved any more. */
  readonly failed: (error: unknown) => void;
}

/**
 * Opens the inventory of a paper bot: services simulated in this process, by present time and
 * prices; planner and executor are those of a live bot. After a restart it continues, and what was
 * due meanwhile happens at once.
 *
 * The state outside the account is in the journal of the account, on disk before it is reported, so
 * that a killed bot finds account, wallets and transfers consistent.
 *
 * Throws `config-invalid`, `symbol-unknown` and `out-of-range` for a model that does not fit the
 * account, `journal-locked` and `journal-invalid`, with nothing left open.
 */
export async function openPaperPortfolio(parts: PaperPortfolioParts): Promise<Inventory> {
  const { model, paper, context } = parts;
  const instruments = context.hub.pulses.map(({ instrument }) => instrument);
  const priceOf = valueOf(model.prices, pricesOf(context, instruments), paper);
  const services = servicesOf(parts, instruments, priceOf);
  try {
    return await opened(parts, services, instruments, priceOf);
  } catch (error) {
    services.close();
    throw error;
  }
}

function opened(
  parts: PaperPortfolioParts,
  services: PaperServices,
  instruments: readonly Instrument[],
  priceOf: PriceOf,
): Promise<Inventory> {
  const { model, everyUs, paper, context, scheduler, random, path } = parts;
  const limits = limitsOf(parts.limits);
  const wire = new LocalWire(scheduler, random);
  const routes = routesOf({
    model,
    scheduler,
    wire,
    limits,
    instruments,
    venue: paper,
    services: () => services.current,
    latency: context.settings.paper,
  });
  const assets = [...model.prices.keys()].filter((asset) => paper.holds(asset));
  const holdings = (): readonly Holding[] => [
    ...services.current.wallets,
    ...assets.map((asset) => ({
      asset,
      location: model.account,
      amount: paper.available(asset).plus(services.current.wallet.available(asset)),
    })),
  ];
  return Inventory.open(
    (listener) => {
      const journal = RebalancingJournal.open(path, { scheduler, holder: context.settings.name });
      const ends = {
        closing: () => {
          wire.close();
          services.close();
        },
        closed: () => journal.close(),
      };
      const parties = { scheduler, routes, priceOf, holdings, listener, journal };
      return Promise.resolve(new LocalRebalancer({ ...parties, ...ends, idle: services.idle }));
    },
    gated(everyUs, parts),
  );
}

/** The services with the state of the previous run, or that of the model. */
function servicesOf(
  { model, paper, context, scheduler, random, path, failed }: PaperPortfolioParts,
  instruments: readonly Instrument[],
  priceOf: PriceOf,
): PaperServices {
  const { journal } = context.account;
  const stored = journal.kept(KEPT);
  const isMoving = hasPaidTransfers(path);
  if (stored === undefined && isMoving) throw unknownTransfers(path);
  const services = new PaperServices({
    model,
    scheduler,
    random,
    priceOf,
    stored,
    account: journal.account,
    isMoving,
    venue: servicesVenue(paper, instruments),
    keep: (text) => {
      // Kept first, so that whatever is written because of a balance includes it.
      journal.keep(KEPT, text);
      paper.deliverAll();
      try {
        journal.flush({ isDurable: true });
      } catch (error) {
        failed(error);
      }
    },
  });
  const wallet = services.current.wallets.find(({ location }) => location === model.account);
  if (wallet === undefined) return services;
  services.close();
  throw new MillraceError(
    'config-invalid',
    `The account cannot be called ${model.account}: there is a wallet of that location, ${holdingName(wallet)}, in the journal.`,
    { field: 'portfolio.paper' },
  );
}

const hasPaidTransfers = (path: string): boolean =>
  RebalancingJournal.look(path)
    .flatMap((plan) => plan.transfers)
    .some(({ record }) => record.paying && !hasEnded(record.state));

/** A paid transfer cannot go on without the state in the journal of the account. */
const unknownTransfers = (path: string): MillraceError =>
  new MillraceError(
    'journal-invalid',
    `${path} has transfers under way that the journal of the account does not know; put back a copy of that, or remove both.`,
    { where: path },
  );

const pricesOf = ({ hub }: AccountContext, instruments: readonly Instrument[]): MarketPrices => ({
  symbols: instruments.map(({ symbol }) => symbol),
  others: 'which no strategy of the account trades; they trade',
  last: (symbol) => hub.price(symbol),
});
