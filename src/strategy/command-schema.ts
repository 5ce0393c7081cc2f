import type { Decimal } from '../model/decimal.ts';
import { MARGIN_MODES } from '../model/margin-terms.ts';
import {
  CONTINGENCY_TYPES,
  ORDER_TYPES,
  SIDES,
  TIMES_IN_FORCE,
  TRAILED_PRICES,
} from '../model/order.ts';
import { parseHoldingKey } from '../model/portfolio.ts';
import type { Rejection } from '../model/rejections.ts';
import { ROUNDINGS } from '../model/units.ts';
import { heldLotsRejection, notionalRejection, shareRejection } from '../rules/held.ts';
import { marginBalanceRejection } from '../rules/margin/margin-setting.ts';
import { AMOUNT_PLACES } from '../rules/margin/quotient.ts';
import { positiveRejection } from '../rules/order-shape.ts';
import { RATE_PLACES, rateRejection } from '../rules/own-rates.ts';
import { trailRateRejection } from '../rules/trailing.ts';
import { ALGO_COMMANDS } from './algo-schema.ts';
import type { Command, ListOrder, Place, QuoteSide, Replenish, Target, Trail } from './commands.ts';
import type { RebalanceTarget } from './portfolio.ts';
import { AMOUNT, type Schema, type TextMember } from './schema.ts';
import {
  clientOrderId,
  COUNTED,
  lots,
  margin,
  NUMBERS,
  ONE_FACE,
  RATE,
  symbol,
  ticks,
} from './schema-members.ts';

type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>;

const takeRateRejection = (rate: Decimal): Rejection | undefined => rateRejection('takeRate', rate);

const makeRateRejection = (rate: Decimal): Rejection | undefined => rateRejection('makeRate', rate);

const isHoldingName = (name: string): boolean => parseHoldingKey(name) !== undefined;

const trailTicks = {
  holds: 'whole',
  code: 'stop-price-invalid',
  range: COUNTED,
} as const;

/** How a stop price trails the market. */
const TRAIL: Schema<Trail> = {
  members: {
    ticks: {
      ...trailTicks,
      about: 'how far behind the market, in ticks',
      rule: (ticks) => positiveRejection('ticks', ticks, 'stop-price-invalid'),
    },
    rate: {
      holds: 'decimal',
      code: 'stop-price-invalid',
      about: 'how far behind the market, as a fraction of the price',
      range: `above 0, below 1, at most ${RATE_PLACES} decimals`,
      rule: trailRateRejection,
    },
    activation: {
      holds: 'decimal',
      code: 'stop-price-invalid',
      absent: 'at once',
      about: 'price at which it begins to follow',
      range: 'positive, on the tick size',
    },
    activationTicks: {
      ...trailTicks,
      about: 'price at which it begins to follow, in ticks',
      rule: (ticks) => positiveRejection('activationTicks', ticks, 'stop-price-invalid'),
    },
    by: {
      holds: 'text',
      values: TRAILED_PRICES,
      code: 'stop-price-invalid',
      absent: '`last`',
      about: 'which price it follows',
    },
    step: {
      ...trailTicks,
      absent: '1',
      about: 'least move of the stop price, in ticks',
      rule: (ticks) => positiveRejection('step', ticks, 'stop-price-invalid'),
    },
  },
  choices: [
    { of: ['ticks', 'rate'], code: 'stop-price-invalid', needed: 'a number or a rate' },
    { of: ['activation', 'activationTicks'], code: 'stop-price-invalid', unit: 'ticks' },
  ],
};

const ROUNDED = {
  priceRounding: {
    holds: 'text',
    values: ROUNDINGS,
    code: 'price-invalid',
    absent: 'rejected',
    about: 'rounding of prices to the tick size',
  },
  quantityRounding: {
    holds: 'text',
    values: ROUNDINGS,
    code: 'quantity-invalid',
    absent: 'rejected',
    about: 'rounding of the quantity to the increment',
  },
} as const satisfies Readonly<Record<string, TextMember & { readonly absent: string }>>;

/** Members of an order: what `place` takes, and each order of a list. */
export const ORDER: Schema<Place> & Schema<ListOrder> = {
  members: {
    symbol: { ...symbol, required: true },
    margin,
    side: {
      holds: 'text',
      values: SIDES,
      code: 'side-invalid',
      required: true,
      about: 'direction',
    },
    type: {
      holds: 'text',
      values: ORDER_TYPES,
      code: 'type-invalid',
      absent: '`limit`',
      about: 'order type',
    },
    clientOrderId: { ...clientOrderId, absent: 'made by the engine', about: 'its id' },
    ...NUMBERS,
    ...ROUNDED,
    timeInForce: {
      holds: 'text',
      values: TIMES_IN_FORCE,
      code: 'time-in-force-invalid',
      absent: '`GTC` with a price, else `FOK`; `GTD` with `within`',
      about: 'how long it may wait',
    },
    expireAt: {
      holds: 'number',
      code: 'expire-time-invalid',
      about: 'when a GTD order expires, in microseconds',
      range: 'whole, after now',
    },
    within: {
      holds: 'number',
      code: 'expire-time-invalid',
      about: 'after how many milliseconds it expires',
      range: 'positive',
    },
    postOnly: {
      holds: 'flag',
      code: 'type-invalid',
      absent: '`false`',
      about: 'expires rather than take',
    },
    reduceOnly: {
      holds: 'flag',
      code: 'request-invalid',
      absent: '`false`',
      about: 'on margin: only reduces a position',
    },
    closePosition: {
      holds: 'flag',
      code: 'request-invalid',
      absent: '`false`',
      about: 'on margin: closes the position at the stop price',
    },
    trail: {
      holds: 'object',
      schema: TRAIL,
      code: 'stop-price-invalid',
      form: '{ ticks } or { rate }, with activation, by and step where wanted',
      inside: 'trail.',
      absent: 'it stays',
      about: 'makes the stop price follow the market',
    },
    takeRate: {
      holds: 'decimal',
      code: 'rate-invalid',
      absent: "the account's",
      about: 'fee rate where it takes',
      range: RATE,
      rule: takeRateRejection,
    },
    makeRate: {
      holds: 'decimal',
      code: 'rate-invalid',
      absent: "the account's",
      about: 'fee rate where it rests',
      range: RATE,
      rule: makeRateRejection,
    },
  },
  choices: [...ONE_FACE, { of: ['within', 'expireAt'], code: 'expire-time-invalid' }],
};

const HOLD: Schema<Target['hold']> = {
  members: {
    share: {
      holds: 'number',
      code: 'quantity-invalid',
      about: 'share of the equity',
      range: 'from 0 to 1; on margin any, negative for a short',
      rule: shareRejection,
    },
    lots: {
      ...lots,
      about: 'number of lots',
      range: 'from 0 to 2^53 - 1; on margin negative for a short',
      rule: heldLotsRejection,
    },
    quantity: {
      ...NUMBERS.quantity,
      range: '0 or more, on the quantity increment; on margin negative for a short',
    },
    quantityRounding: {
      ...ROUNDED.quantityRounding,
      about: 'rounding of the quantity to the increment',
    },
    notional: {
      holds: 'decimal',
      code: 'quantity-invalid',
      about: 'value in the quote currency',
      range: '0 or more; on margin negative for a short',
      rule: notionalRejection,
    },
  },
  choices: [
    {
      of: ['share', 'lots', 'quantity', 'notional'],
      code: 'quantity-invalid',
      needed: 'a number or a decimal',
    },
  ],
};

/** One side of a quote. */
export const SIDE: Schema<QuoteSide> = {
  members: {
    ticks,
    price: NUMBERS.price,
    lots,
    quantity: NUMBERS.quantity,
    ...ROUNDED,
  },
  choices: [
    { of: ['price', 'ticks'], code: 'price-invalid', needed: 'a decimal or a number' },
    { of: ['quantity', 'lots'], code: 'quantity-invalid', needed: 'a decimal or a number' },
  ],
};

const side = {
  holds: 'object',
  schema: SIDE,
  code: 'price-invalid',
  form: '{ price, quantity } as decimals or { ticks, lots } as numbers, or absent',
  absent: 'withdrawn',
} as const;

const replenished = {
  holds: 'decimal',
  code: 'margin-balance-invalid',
  range: `0 or more, at most ${AMOUNT_PLACES} decimals`,
  rule: (value: Decimal) => marginBalanceRejection(value, 'balance'),
} as const;

const REPLENISH: Schema<Replenish> = {
  members: {
    floor: {
      ...replenished,
      absent: 'at a margin call alone',
      about: 'a balance below this is filled up',
    },
    target: {
      ...replenished,
      absent: 'the balance of the command',
      about: 'the balance it is filled up to',
    },
    maxPerDay: {
      ...replenished,
      required: true,
      about: 'the most filled up in a UTC day; 0 ends it',
    },
  },
};

const HOLDING: Schema<RebalanceTarget> = {
  members: {
    weight: {
      holds: 'amount',
      code: 'targets-invalid',
      about: 'share of all holdings with a weight',
      range: 'from 0 to 1, 1 together',
    },
    amount: {
      holds: 'amount',
      code: 'targets-invalid',
      about: 'amount of the asset',
      range: 'from 0',
    },
    band: {
      holds: 'amount',
      code: 'targets-invalid',
      required: true,
      about: 'allowed deviation',
      range: 'from 0, of a weight to 1',
    },
    reserve: {
      holds: 'amount',
      code: 'targets-invalid',
      absent: '`0`',
      about: 'amount that never leaves',
      range: 'from 0',
    },
  },
  choices: [{ of: ['weight', 'amount'], code: 'targets-invalid', needed: AMOUNT }],
};

/**
 * Members of all commands, in one table: the source of their readers, their rejections and the
 * reference docs/commands.md. Other members are rejected by name. A new member is a row here and in
 * its type, which do not compile without each other.
 */
export const COMMANDS: { readonly [K in Command['kind']]: Schema<CommandOf<K>> } = {
  place: ORDER,
  placeList: {
    members: {
      contingencyType: {
        holds: 'text',
        values: CONTINGENCY_TYPES,
        code: 'contingency-type-invalid',
        required: true,
        about: 'how they depend on each other',
      },
      orders: {
        holds: 'list',
        schema: ORDER,
        code: 'order-count-invalid',
        required: true,
        form: 'an array of orders',
        formOfOne: 'an order',
        about: 'its orders',
        range: '2 or 3',
      },
      bracket: {
        holds: 'flag',
        code: 'type-invalid',
        absent: '`false`',
        about: 'checks the prices as a bracket',
      },
    },
  },
  replace: {
    members: {
      clientOrderId: { ...clientOrderId, required: true, about: 'the order to replace' },
      newClientOrderId: {
        ...clientOrderId,
        absent: 'made by the engine',
        about: 'id of the replacement',
      },
      ...NUMBERS,
      ...ROUNDED,
    },
    choices: ONE_FACE,
  },
  cancel: {
    members: {
      clientOrderId: { ...clientOrderId, required: true, about: 'the order to cancel' },
    },
  },
  cancelAll: { members: { symbol: { ...symbol, absent: 'all symbols' }, margin } },
  target: {
    members: {
      symbol: { ...symbol, required: true },
      margin,
      hold: {
        holds: 'object',
        schema: HOLD,
        code: 'quantity-invalid',
        required: true,
        form: '{ share }, { lots }, { quantity } or { notional }, one of them',
        inside: '',
        about: 'how much of the base currency to hold',
      },
      clears: {
        holds: 'flag',
        code: 'type-invalid',
        absent: '`false`',
        about: 'cancels plain orders first, as `flat` does',
      },
    },
  },
  quote: {
    members: {
      symbol: { ...symbol, required: true },
      margin,
      bid: { ...side, inside: 'bid.', about: 'the order to buy' },
      ask: { ...side, inside: 'ask.', about: 'the order to sell' },
    },
  },
  ...ALGO_COMMANDS,
  setMargin: {
    members: {
      symbol: { ...symbol, required: true },
      margin: {
        holds: 'text',
        values: MARGIN_MODES,
        code: 'margin-mode-invalid',
        required: true,
        about: 'which account',
      },
      balance: {
        holds: 'decimal',
        code: 'margin-balance-invalid',
        absent: 'as it is',
        about: 'funds that it has then',
        range: `0 or more, at most ${AMOUNT_PLACES} decimals`,
        rule: (balance) => marginBalanceRejection(balance, 'balance'),
      },
      leverage: {
        holds: 'decimal',
        code: 'leverage-invalid',
        absent: 'as it is; required by a new isolated contract account',
        about: 'maximum of new positions',
        range: 'from 1 to what the symbol allows, at most 2 decimals',
      },
      replenish: {
        holds: 'object',
        schema: REPLENISH,
        code: 'margin-balance-invalid',
        form: '{ floor, target, maxPerDay }, each a decimal, or true or false',
        inside: 'replenish.',
        absent: 'as it is',
        about: 'automatic funding from spot',
      },
    },
  },
  rebalance: {
    members: {
      targets: {
        holds: 'record',
        schema: HOLDING,
        code: 'targets-invalid',
        required: true,
        form: 'holdings by name, such as USDC@ethereum',
        isName: isHoldingName,
        noName: 'is no holding; name an asset at a location, such as USDC@ethereum',
        about: 'target of each holding, such as `USDC@ethereum`',
      },
      minimumValue: {
        holds: 'amount',
        code: 'targets-invalid',
        required: true,
        about: 'smaller transfers are not made',
        range: 'from 0',
      },
      maximumCost: {
        holds: 'amount',
        code: 'targets-invalid',
        required: true,
        about: 'cost of all transfers, share of their value',
        range: 'from 0',
      },
      slippage: {
        holds: 'amount',
        code: 'targets-invalid',
        absent: '`0.005`',
        about: 'share that a later offer may bring less',
        range: 'from 0 to 1',
      },
    },
  },
};
