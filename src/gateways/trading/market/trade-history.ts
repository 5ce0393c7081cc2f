import type { TradingClient } from '../client/client.ts';

/** A trade as the service lists it. */
export type PublicTrade = Awaited<ReturnType<TradingClient['rest']['getTradesOfSymbol']>>[number];

/** Part of the trades of a symbol, oldest first. */
export interface TradePage {
  readonly trades: readonly PublicTrade[];
  /** There may be more after it. */
  readonly isFull: boolean;
}

const PAGE = 1_000;

/** The service's public trades. */
export class PublicTradeHistory {
  readonly #client: TradingClient;

  constructor(client: TradingClient) {
    this.#client = client;
  }

  /** A page of the trades with numbers from `from` to `till`, both included. */
  async after(symbol: string, from: number, till: number): Promise<TradePage> {
    const trades = await this.#client.rest.getTradesOfSymbol({
      symbol,
      by: 'id',
      sort: 'ASC',
      limit: PAGE,
      from: { kind: 'number', value: from },
      till: { kind: 'number', value: till },
    });
    return { trades, isFull: trades.length === PAGE };
  }
}
