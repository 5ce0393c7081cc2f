import { MARGIN_MODES } from '../model/margin-terms.ts';
import { quantityRejection, stopTicksRejection, ticksRejection } from '../rules/order-shape.ts';
import { RATE_PLACES } from '../rules/own-rates.ts';
import type { Choice, DecimalMember, NumberMember, TextMember } from './schema.ts';

export const COUNTED = 'from 1 to 2^53 - 1';
export const ID = '8 to 32 Latin letters, digits, `_` or `-`';
export const RATE = `between -1 and 1, at most ${RATE_PLACES} decimals`;

export const symbol = {
  holds: 'text',
  code: 'symbol-unknown',
  about: 'the instrument',
} as const satisfies TextMember;

export const margin = {
  holds: 'text',
  values: MARGIN_MODES,
  code: 'margin-mode-invalid',
  absent: 'spot',
  about: 'on which margin it trades',
} as const satisfies TextMember & { readonly absent: string };

export const clientOrderId = {
  holds: 'text',
  code: 'client-order-id-invalid',
  range: ID,
} as const;

export const lots = {
  holds: 'whole',
  code: 'quantity-invalid',
  about: 'quantity in lots',
  range: COUNTED,
  rounded: "instrument.lots(quantity, 'down')",
  rule: quantityRejection,
} as const satisfies NumberMember;

export const ticks = {
  holds: 'whole',
  code: 'price-invalid',
  about: 'limit price in ticks',
  range: COUNTED,
  rounded: "instrument.ticks(price, 'down')",
  rule: ticksRejection,
} as const satisfies NumberMember;

/** Numbers of an order: each in whole steps or as a decimal. */
export const NUMBERS = {
  lots,
  quantity: {
    holds: 'decimal',
    code: 'quantity-invalid',
    about: 'quantity',
    range: 'positive, on the quantity increment',
  },
  ticks,
  price: {
    holds: 'decimal',
    code: 'price-invalid',
    about: 'limit price',
    range: 'positive, on the tick size',
  },
  stopTicks: {
    holds: 'whole',
    code: 'stop-price-invalid',
    about: 'stop price in ticks',
    range: COUNTED,
    rounded: "instrument.ticks(stopPrice, 'down')",
    rule: stopTicksRejection,
  },
  stopPrice: {
    holds: 'decimal',
    code: 'stop-price-invalid',
    about: 'stop price',
    range: 'positive, on the tick size',
  },
} as const satisfies Readonly<Record<string, NumberMember | DecimalMember>>;

export const ONE_FACE = [
  { of: ['quantity', 'lots'], code: 'quantity-invalid', unit: 'lots' },
  { of: ['price', 'ticks'], code: 'price-invalid', unit: 'ticks' },
  { of: ['stopPrice', 'stopTicks'], code: 'stop-price-invalid', unit: 'ticks' },
] as const satisfies readonly Choice[];
