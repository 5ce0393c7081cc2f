import { Inventory } from '../../gateways/rebalancing/inventory.ts';
import { carriersOf } from '../../gateways/rebalancing/modelled/carriers.ts';
import { TransfersInFlight } from '../../gateways/rebalancing/modelled/transfers-in-flight.ts';
import { ModelledMover } from '../../gateways/rebalancing/modelled/mover.ts';
import { OutsideFunds, outsideOf } from '../../gateways/rebalancing/modelled/outside-funds.ts';
import { valueOf, type MarketPrices } from '../../gateways/rebalancing/modelled/market-prices.ts';
import type { PortfolioModel } from '../../gateways/rebalancing/modelled/settings.ts';
import { MillraceError } from '../../model/errors.ts';
import { slotName, type Holding, type PriceOf } from '../../model/portfolio.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { AccountContext } from '../account/account-context.ts';
import { gated, limitsOf, type InventorySurroundings } from './inventory.ts';
import { RebalancingJournal } from './journal.ts';
import type { PaperAccount } from '../paper/account.ts';
import { portfolioText, readPortfolio, type StoredPortfolio } from './paper-portfolio-text.ts';

/** Under which name the journal of the account keeps what is outside of it. */
const KEPT = 'paperPortfolio';

export interface PaperPortfolioParts extends InventorySurroundings {
  readonly model: PortfolioModel;
  readonly everyUs: number;
  /** The account that moves go through, and what belongs to it. */
  readonly paper: PaperAccount;
  readonly context: AccountContext;
  /** Path of the journal of moves. */
  readonly path: string;
  /** Told where what has moved cannot be written down: nothing more may be moved. */
  readonly failed: (error: unknown) => void;
}

/**
 * The inventory of a paper bot: its wallets and what carries between them are modelled, on the time
 * and the prices that there are; what plans and leads moves is what a live bot has. It goes on after
 * a restart where it was, and what was due meanwhile happens at once.
 *
 * What is outside of the account stands in the journal of the account and is on the disk before
 * anybody is told of it, so that a bot that is killed finds account, wallets and moves in accord.
 *
 * Throws `config-invalid`, `symbol-unknown` and `out-of-range` for a model that does not fit the
 * account, `journal-locked` and `journal-invalid`, with nothing left open.
 */
export async function openPaperPortfolio(parts: PaperPortfolioParts): Promise<Inventory> {
  const { model, paper, context } = parts;
  const instruments = context.hub.pulses.map(({ instrument }) => instrument);
  const priceOf = valueOf(model.prices, pricesOf(context, instruments), paper);
  const world = worldOf(parts);
  const { inFlight } = world;
  try {
    return await opened({ ...parts, ...world, instruments, priceOf });
  } catch (error) {
    inFlight.close();
    throw error;
  }
}

interface Opening extends PaperPortfolioParts {
  readonly outside: OutsideFunds;
  readonly inFlight: TransfersInFlight;
  readonly instruments: readonly Instrument[];
  readonly priceOf: PriceOf;
}

function opened(opening: Opening): Promise<Inventory> {
  const { model, everyUs, paper, context, scheduler, path, outside, inFlight, priceOf } = opening;
  const limits = limitsOf(opening.limits);
  const latency = context.settings.paper;
  const carriers = carriersOf({ ...opening, venue: paper, latency, limits });
  const assets = [...model.prices.keys()].filter((asset) => paper.holds(asset));
  const holdings = (): readonly Holding[] => [
    ...outside.wallets,
    ...assets.map((asset) => ({ asset, place: model.account, amount: paper.available(asset) })),
  ];
  return Inventory.open(
    (listener) => {
      const journal = RebalancingJournal.open(path, { scheduler, holder: context.settings.name });
      const ends = { closing: () => inFlight.close(), closed: () => journal.close() };
      const mover = { scheduler, carriers, priceOf, holdings, listener, journal, ...ends };
      return Promise.resolve(new ModelledMover(mover));
    },
    gated(everyUs, opening),
  );
}

/** What is outside, as a previous run left it; as the model says where there was none. */
function worldOf({ model, paper, context, scheduler, random, failed }: PaperPortfolioParts): {
  readonly outside: OutsideFunds;
  readonly inFlight: TransfersInFlight;
} {
  const { journal } = context.account;
  const kept = journal.kept(KEPT);
  const previous = kept === undefined ? undefined : readPortfolio(kept, journal.account);
  if (previous !== undefined) checkPrevious(previous, model, paper);
  const outside = new OutsideFunds(withNew(previous?.outside, outsideOf(model)), paper);
  const changed = (): void => {
    // Kept first, so that whatever is written because of a balance has both in it.
    journal.keep(KEPT, portfolioText({ outside, inFlight: inFlight.state }));
    paper.deliverAll();
    try {
      journal.flush({ isDurable: true });
    } catch (error) {
      failed(error);
    }
  };
  const inFlight: TransfersInFlight = new TransfersInFlight({
    scheduler,
    random,
    outside,
    changed,
    previous: previous?.inFlight,
  });
  return { outside, inFlight };
}

/** What a previous run has under way must still have its place. */
function checkPrevious(
  { outside, inFlight }: StoredPortfolio,
  { account }: PortfolioModel,
  paper: PaperAccount,
): void {
  const wallet = outside.wallets.find(({ place }) => place === account);
  const coming = inFlight.legs
    .flatMap(({ postings }) => postings)
    .find((one) => one.to === 'account' && !paper.holds(one.asset));
  const why =
    wallet !== undefined
      ? `The account cannot be called ${account}: there is a wallet of that place, ${slotName(wallet)}, in the journal.`
      : coming?.to === 'account'
        ? `${coming.asset} is on its way to the account, which has no symbol with it any more; give its strategy one until that has arrived.`
        : undefined;
  if (why !== undefined)
    throw new MillraceError('config-invalid', why, { field: 'portfolio.paper' });
}

/** Wallets that a model has and a previous run did not have, begin as the model says. */
function withNew<T extends { readonly wallets: readonly Holding[] }>(
  previous: T | undefined,
  beginning: T,
): T {
  if (previous === undefined) return beginning;
  const known = new Set(previous.wallets.map(slotName));
  const news = beginning.wallets.filter((wallet) => !known.has(slotName(wallet)));
  return { ...previous, wallets: [...previous.wallets, ...news] };
}

const pricesOf = ({ hub }: AccountContext, instruments: readonly Instrument[]): MarketPrices => ({
  symbols: instruments.map(({ symbol }) => symbol),
  others: 'which no strategy of the account trades; they trade',
  last: (symbol) => hub.price(symbol),
});
