import { InstrumentState } from '../../model/instrument-state.ts';
import type { VenueConnection } from './venue-connection.ts';
import type { Journal } from '../journal/journal.ts';
import type { Means, OpenMarket } from './live.ts';
import type { AccountSettings } from '../settings/settings.ts';
import { PaperAccount } from '../paper/account.ts';
import { continuePaper } from '../paper/continuing.ts';

/** The exchange of this process behind an account on paper, which goes on where its journal says. */
export async function connectPaper(
  account: AccountSettings,
  journal: Journal,
  means: Means,
): Promise<VenueConnection> {
  const { market, instruments, close } = await marketOf(account, means);
  const states = instruments.map((instrument) => new InstrumentState(instrument));
  const venue = new PaperAccount({
    ...{ venue: account.name, instruments, scheduler: means.scheduler },
    settings: account.paper,
    exchange: { recordedBooks: states.map(({ book }) => book) },
  });
  continuePaper(venue, journal);
  const places = new Map(instruments.map(({ symbol }, index) => [symbol, index]));
  return {
    ...{ venue, market, close, paper: venue, states },
    row: (symbol, columns, row) => {
      const index = places.get(symbol);
      if (index !== undefined) venue.market(index, columns, row);
    },
  };
}

async function marketOf(account: AccountSettings, means: Means): Promise<OpenMarket> {
  if (account.market.kind === 'service') {
    const { liveMarket } = await import('./live.ts');
    return await liveMarket(account, means);
  }
  const { RecordedMarket } = await import('../paper/recorded-market.ts');
  const { paths, speed } = account.market;
  const market = new RecordedMarket({ paths, speed, scheduler: means.scheduler });
  return { market, instruments: market.instruments, close: () => Promise.resolve() };
}
