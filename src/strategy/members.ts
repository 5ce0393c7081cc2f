import { membersOf } from '../model/members.ts';
import type { BracketOf } from './bracket.ts';
import type { Command, Place, PlaceList, QuoteSide, Target } from './commands.ts';
import type { Rebalance, RebalanceTarget } from './portfolio.ts';

type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>;

/** All that an order may say. */
export const ORDER_MEMBERS = membersOf<Place>({
  kind: true,
  symbol: true,
  side: true,
  type: true,
  clientOrderId: true,
  lots: true,
  quantity: true,
  ticks: true,
  price: true,
  stopTicks: true,
  stopPrice: true,
  timeInForce: true,
  expireAt: true,
  within: true,
  postOnly: true,
  takeRate: true,
  makeRate: true,
});

/** All that a command of a kind may say; whatever else it says is refused by its name. */
export const COMMAND_MEMBERS: Readonly<Record<Command['kind'], ReadonlySet<string>>> = {
  place: ORDER_MEMBERS,
  placeList: membersOf<PlaceList>({
    kind: true,
    contingencyType: true,
    orders: true,
    bracket: true,
  }),
  replace: membersOf<CommandOf<'replace'>>({
    kind: true,
    clientOrderId: true,
    newClientOrderId: true,
    lots: true,
    quantity: true,
    ticks: true,
    price: true,
    stopTicks: true,
    stopPrice: true,
  }),
  cancel: membersOf<CommandOf<'cancel'>>({ kind: true, clientOrderId: true }),
  cancelAll: membersOf<CommandOf<'cancelAll'>>({ kind: true, symbol: true }),
  target: membersOf<Target>({ kind: true, symbol: true, hold: true, clears: true }),
  quote: membersOf<CommandOf<'quote'>>({ kind: true, symbol: true, bid: true, ask: true }),
  rebalance: membersOf<Rebalance>({
    kind: true,
    targets: true,
    minimumWorth: true,
    maximumCost: true,
    slippage: true,
  }),
};

export const HOLD_MEMBERS = membersOf<Target['hold']>({ share: true, lots: true });

export const SIDE_MEMBERS = membersOf<QuoteSide>({ ticks: true, lots: true });

export const SLOT_MEMBERS = membersOf<RebalanceTarget>({
  weight: true,
  amount: true,
  band: true,
  reserve: true,
});

/** What `bracket` takes: which of these was meant is said of a stray member of its list. */
export const BRACKET_MEMBERS = membersOf<BracketOf>({
  entry: true,
  takeProfit: true,
  stopLoss: true,
  lots: true,
  quantity: true,
  within: true,
});
