import { tradedTerms } from '../../backtest/contracts.ts';
import { ANY_EVENTS, derivativesOf } from '../../engine/market/feed-contents.ts';
import type { MarketSource } from '../../gateways/market-source.ts';
import { FUNDED } from '../../model/derivative-state.ts';
import { MillraceError } from '../../model/errors.ts';
import { InstrumentState } from '../../model/instrument-state.ts';
import { Instrument } from '../../model/instrument.ts';
import type { VenueConnection } from './venue-connection.ts';
import type { Journal } from '../journal/journal.ts';
import type { LiveServices, OpenMarket } from './live.ts';
import type { AccountSettings } from '../settings/settings.ts';
import { PaperAccount } from '../paper/account.ts';
import { continuePaper } from '../paper/continuing.ts';

/**
 * The exchange of this process for a paper account, restored from its journal. Throws `symbol-unknown` for
 * margin terms of a symbol that the market does not have.
 */
export async function connectPaper(
  account: AccountSettings,
  journal: Journal,
  services: LiveServices,
): Promise<VenueConnection> {
  const { market, instruments, close } = await marketOf(account, services);
  const { dailyRates } = account.paper;
  const states = instruments.map((instrument) => new InstrumentState(instrument));
  const venue = new PaperAccount({
    venue: account.name,
    instruments,
    scheduler: services.scheduler,
    settings: account.paper,
    exchange: {
      recordedBooks: states.map(({ book }) => book),
      margin: {
        reportedFunding: fundedBy(market, instruments),
        dailyRates,
      },
    },
    warn: (message) => services.log.warn(`${message} (${account.name})`),
  });
  continuePaper(venue, journal);
  const places = new Map(instruments.map(({ symbol }, index) => [symbol, index]));
  return {
    venue,
    market,
    close,
    paper: venue,
    states,
    row: (symbol, columns, row) => {
      const index = places.get(symbol);
      if (index !== undefined) venue.market(index, columns, row);
    },
  };
}

/** Symbols whose market sends the funding: none is paid before it has sent a rate. */
const fundedBy = (market: MarketSource, instruments: readonly Instrument[]): readonly string[] =>
  instruments
    .filter((one) => {
      const contents = market.contents?.(one.symbol) ?? ANY_EVENTS;
      return one.isContract && (derivativesOf(one, contents) & FUNDED) !== 0;
    })
    .map(({ symbol }) => symbol);

async function marketOf(account: AccountSettings, services: LiveServices): Promise<OpenMarket> {
  const { margin = {} } = account.paper;
  if (account.market.kind !== 'recordings') {
    const { instruments, ...live } = await shownMarket(account, services);
    checkNamed(account, instruments);
    const onPaper = instruments.map(
      ({ terms }) => new Instrument(tradedTerms(terms, margin[terms.symbol])),
    );
    return { ...live, instruments: onPaper };
  }
  const { RecordedMarketSource: RecordedMarket } = await import('../paper/recorded-market.ts');
  const { paths, speed } = account.market;
  const market = new RecordedMarket({ paths, speed, scheduler: services.scheduler, margin });
  checkNamed(account, market.instruments);
  return { market, instruments: market.instruments, close: () => Promise.resolve() };
}

async function shownMarket(account: AccountSettings, services: LiveServices): Promise<OpenMarket> {
  if (account.gateway !== undefined) {
    const { gatewayMarket } = await import('./gateway.ts');
    return await gatewayMarket(account.gateway, services);
  }
  const { liveMarket } = await import('./live.ts');
  return await liveMarket(account, services);
}

/** Margin terms of a symbol that is not there would be passed over in silence. */
function checkNamed({ name, paper }: AccountSettings, instruments: readonly Instrument[]): void {
  for (const symbol of Object.keys(paper.margin ?? {})) {
    if (instruments.some((one) => one.symbol === symbol)) continue;
    throw new MillraceError(
      'symbol-unknown',
      `Margin terms are given for ${symbol}, of which the account ${name} has no market.`,
      { field: `accounts.${name}.paper.margin.${symbol}` },
    );
  }
}
