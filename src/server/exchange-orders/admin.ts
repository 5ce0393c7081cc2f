import { defined } from '../../model/members.ts';
import { z } from 'zod';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { ExchangeOrder } from '../../swaps/orders/order.ts';
import type { ExchangeOrderService } from '../../swaps/orders/service.ts';
import { isoText } from '../../wire/time.ts';
import { decoded, fault, undecoded, type Decoded } from '../../wire/trading/faults.ts';
import { choice, flag, optional, text, unsigned } from '../../wire/trading/fields.ts';
import { adminCall, type AdminCall } from '../admin/call.ts';

const DECISIONS = ['hold', 'release', 'fail', 'refund'] as const;

type Decision = (typeof DECISIONS)[number];

/** Calls that decide what happens to exchange orders, and what the service exchanges. */
export const exchangeOrderCalls = (service: ExchangeOrderService): readonly AdminCall[] => [
  adminCall({
    method: 'GET',
    path: '/admin/exchange-orders/orders',
    summary: 'Lists the orders of the exchange order service, newest first, and stray payments',
    params: z.object({}),
    run: () =>
      decoded({
        orders: service.orders().toReversed().map(orderView),
        strays: service.strays().map(({ lots, ...stray }) => ({ ...stray, lots: String(lots) })),
      }),
  }),
  adminCall({
    method: 'POST',
    path: '/admin/exchange-orders/decisions',
    summary:
      'Decides on an order: hold it, release it, let it fail, refund it to its refund address or another',
    params: z.object({
      id: text,
      decision: choice(DECISIONS),
      address: optional(text),
      extraId: optional(text),
    }),
    run: ({ id, decision, address, extraId }) => {
      const rejection = decide(service, id, decision, address, extraId);
      const order = service.orders().find((known) => known.id === id);
      if (rejection !== undefined || order === undefined) return wrong(rejection);
      return decoded(orderView(order));
    },
  }),
  adminCall({
    method: 'POST',
    path: '/admin/exchange-orders/strays',
    summary: 'Gives a payment back that belongs to no order, such as one without its extra id',
    params: z.object({ hash: text, address: text, extraId: optional(text) }),
    run: ({ hash, address, extraId }) => {
      const stray = service.returnStray(hash, address, extraId);
      if (isRejection(stray)) return wrong(stray);
      return decoded({ hash, returnHash: stray.returnHash });
    },
  }),
  ...offerCalls(service),
];

/** Calls for what the service exchanges, and its outages. */
const offerCalls = (service: ExchangeOrderService): readonly AdminCall[] => [
  adminCall({
    method: 'PUT',
    path: '/admin/exchange-orders/currencies',
    summary: 'Sets what a currency is good for, and how much of it may be paid out at once',
    params: z.object({
      ticker: text,
      enabled: optional(flag),
      enabledFrom: optional(flag),
      enabledTo: optional(flag),
      fixRateEnabled: optional(flag),
      liquidity: optional(unsigned),
    }),
    run: ({ ticker, ...given }) => {
      const rejection = service.currencies.change(ticker, defined(given));
      return rejection === undefined ? decoded({ ticker }) : wrong(rejection);
    },
  }),
  adminCall({
    method: 'PUT',
    path: '/admin/exchange-orders/pairs',
    summary: 'Sets whether one currency is exchanged for another',
    params: z.object({ from: text, to: text, enabled: flag }),
    run: ({ from, to, enabled }) => {
      service.currencies.changePair(from, to, enabled);
      return decoded({ from, to, enabled });
    },
  }),
  adminCall({
    method: 'PUT',
    path: '/admin/exchange-orders/broken',
    summary: 'Sets whether no payin address can be made, and whether every method fails inside',
    params: z.object({ addresses: optional(flag), inside: optional(flag) }),
    run: ({ addresses, inside }) => {
      const { broken } = service;
      broken.addresses = addresses ?? broken.addresses;
      broken.inside = inside ?? broken.inside;
      return decoded({ ...broken });
    },
  }),
];

function decide(
  { manualActions }: ExchangeOrderService,
  id: string,
  decision: Decision,
  address?: string,
  extraId?: string,
): Rejection | undefined {
  switch (decision) {
    case 'hold':
      return manualActions.hold(id);
    case 'release':
      return manualActions.release(id);
    case 'fail':
      return manualActions.fail(id, 'It was let fail by hand.');
    case 'refund':
      return manualActions.refund(id, address, extraId);
  }
}

const wrong = (rejection: Rejection | undefined): Decoded<unknown> =>
  undecoded(fault(10001, rejection?.message ?? 'There is no such order'));

const orderView = (order: ExchangeOrder): object => {
  const { id, client, kind, state, from, to, createdAt, payinAddress, origin, reason } = order;
  return {
    id,
    client,
    kind,
    state,
    from,
    to,
    payinAddress,
    created: isoText(createdAt),
    amountExpectedFrom: order.amountExpectedFrom.toFixed(),
    origin,
    userMetadata: order.userMetadata,
    reason,
  };
};
