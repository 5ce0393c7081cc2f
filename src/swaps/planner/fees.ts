import { Decimal, sumOf } from '../../model/decimal.ts';
import { holdingName, type PriceOf, type HoldingKey } from '../../model/portfolio.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { NetworkFee } from '../execution/transfer-route.ts';
import type { Edge } from './edges.ts';
import type { Inquiry } from './inquiry.ts';
import type { PlanFee } from './plan.ts';
import type { RealTransfer } from './realizing.ts';

/** Network fees of transfers by coin, with those that are included in what is sent. */
export function feesOf(transfers: readonly RealTransfer[], priceOf: PriceOf): readonly PlanFee[] {
  const fees = transfers.flatMap(({ offer }) => offer.networkFee ?? []);
  return coinsOf(fees).map((coin) => {
    const own = fees.filter((fee) => holdingName(fee.coin) === holdingName(coin));
    const expected = sumOf(own.map((fee) => fee.expected));
    const most = sumOf(own.map((fee) => fee.most));
    const price = priceOf(coin.asset);
    return { coin, expected, most, ...(price !== undefined && { value: expected.times(price) }) };
  });
}

/** Sentences on fees without a price, and on routes that are not used as a wallet lacks the coin. */
export function feeWarnings(
  transfers: readonly RealTransfer[],
  { rejections, curves }: Inquiry,
  priceOf: PriceOf,
): readonly string[] {
  const unpriced = feesOf(transfers, priceOf)
    .filter(({ value }) => value === undefined)
    .map(({ coin, expected }) => `${coin.asset} has no price, so that the fees of ${expected.toFixed()} ${holdingName(coin)} are not counted in what the transfers cost: set prices.${coin.asset}.`); // prettier-ignore
  const withheld = curves.flatMap((_, index) => {
    const rejection = rejections.get(index);
    return rejection?.field === 'fee' ? [rejection.message] : [];
  });
  return [...unpriced, ...new Set(withheld)];
}

/** Names the coin that is too little for the fees on edges, or for fees and what is sent of it. */
export function missingCoinRejection(
  edges: readonly Edge[],
  { fees }: Inquiry,
): Rejection | undefined {
  const used = edges.flatMap(({ index }) => fees.get(index) ?? []);
  const coins = coinsOf(used).map((coin) => {
    const name = holdingName(coin);
    const own = used.filter((fee) => holdingName(fee.coin) === name);
    const needed = sumOf(own.map(({ most }) => most));
    const held = Decimal.min(...own.map((fee) => fee.held ?? needed));
    const isShort = needed.greaterThan(held);
    const isSent = edges.some(({ from }) => holdingName(from) === name);
    const beside = isShort ? '' : ' beside what is to be sent of it';
    const message = `The fees of the transfers may come to ${needed.toFixed()} ${name}, and the ${held.toFixed()} that are there do not suffice for them${beside}: send some there first.`;
    return {
      isShort,
      isSent,
      rejection: { code: 'plan-impossible', field: name, message } as const,
    };
  });
  // Where the fees of a coin alone exceed it, that is the reason; else it is what is sent of one.
  const reason = coins.find(({ isShort }) => isShort) ?? coins.find(({ isSent }) => isSent);
  return reason?.rejection;
}

const coinsOf = (fees: readonly NetworkFee[]): readonly HoldingKey[] => [
  ...new Map(fees.map(({ coin }) => [holdingName(coin), coin])).values(),
];
