import type { Decimal } from '../../model/decimal.ts';
import type { Journal } from '../journal/journal.ts';
import type { PaperAccount } from './account.ts';
import { amountsText, readAmounts } from './portfolio-text.ts';

/** Under which name the journal keeps what moves have changed and no balance has told yet. */
const UNTOLD = 'paperUntold';

/** Lets a paper account go on where its journal says that it was; one that is new begins as configured. */
export function continuePaper(account: PaperAccount, journal: Journal): void {
  const heard = journal.balances();
  if (heard.size === 0) return;
  const totals = [...heard].map(
    ([currency, { available, reserved }]) => [currency, available.plus(reserved)] as const,
  );
  const kept = journal.kept(UNTOLD);
  const untold = kept === undefined ? new Map() : readAmounts(kept, journal.account);
  account.restore({ balances: new Map(totals), untold, orders: journal.openOrders() });
}

/** Keeps what moves have changed of a paper account until a balance tells it. */
export const keepUntold =
  (journal: Journal) =>
  (untold: ReadonlyMap<string, Decimal>): void => {
    journal.keep(UNTOLD, amountsText(untold));
  };
