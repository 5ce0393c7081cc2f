import type { Journal } from '../journal/journal.ts';
import type { PaperAccount } from './account.ts';

/** Lets a paper account go on where its journal says that it was; one that is new begins as configured. */
export function continuePaper(account: PaperAccount, journal: Journal): void {
  const heard = journal.balances();
  if (heard.size === 0) return;
  const totals = [...heard].map(
    ([currency, { available, reserved }]) => [currency, available.plus(reserved)] as const,
  );
  account.restore({
    balances: new Map(totals),
    orders: journal.openOrders(),
    margin: journal.margin.all().flatMap(({ state }) => (state === undefined ? [] : [state])),
    heardAt: journal.lastHeardAt,
  });
}
