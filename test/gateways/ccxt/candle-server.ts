import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';

const MINUTE = 60_000;

/** A request for candles, as the server has read it. */
export interface Asked {
  readonly from: number;
  readonly till: number | undefined;
  /** When it came, in microseconds. */
  readonly at: number;
}

/** A server that has candles of one minute of BTC/USDT, in the protocol of ccxt's class `hitbtc`. */
export class CandleServer {
  readonly asked: Asked[] = [];
  /** How many of the next requests for candles are answered with 503. */
  failing = 0;
  /** Whether the newest candles since a time are given, as HitBTC does, or the oldest. */
  order: 'newest' | 'oldest' = 'newest';
  takesEnd = true;
  /** Whether it gives the oldest first where it is asked to, as HitBTC does, which takes no `until`. */
  sorts = false;
  type: 'spot' | 'futures' = 'spot';
  /** Opening times of what there is, oldest first. */
  times: readonly number[] = [];
  readonly #scheduler = new SystemScheduler();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const isFailing = url.pathname.includes('/candles/') && this.failing > 0;
      if (isFailing) this.failing -= 1;
      response.writeHead(isFailing ? 503 : 200, { 'content-type': 'application/json' });
      response.end(isFailing ? '{}' : JSON.stringify(this.#answer(url)));
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer({ pathname, searchParams }: URL): unknown {
    if (pathname.endsWith('/public/symbol')) return { BTCUSDT: this.#symbol() };
    if (pathname.endsWith('/public/candles/BTCUSDT')) return this.#candles(searchParams);
    return {};
  }

  #symbol(): object {
    const terms = { tick_size: '0.01', quantity_increment: '0.00001', fee_currency: 'USDT' };
    const rates = { take_rate: '0.0025', make_rate: '0.001', status: 'working' };
    return this.type === 'spot'
      ? { type: 'spot', base_currency: 'BTC', quote_currency: 'USDT', ...terms, ...rates }
      : {
          ...{ type: 'futures', underlying: 'BTC', quote_currency: 'USDT', expiry: null },
          ...{ contract_type: 'perpetual', ...terms, ...rates },
        };
  }

  #candles(query: URLSearchParams): readonly object[] {
    const from = Date.parse(query.get('from') ?? '');
    const end = query.get('until');
    const till = end === null || !this.takesEnd ? undefined : Number(end);
    this.asked.push({ from, till, at: this.#scheduler.now() });
    const found = this.times.filter((time) => time >= from && (till === undefined || time <= till));
    const limit = Number(query.get('limit') ?? 100);
    const isAscending = this.sorts && query.get('sort') === 'ASC';
    return (
      this.order === 'newest' && !isAscending ? found.slice(-limit) : found.slice(0, limit)
    ).map(candleAt);
  }
}

const candleAt = (time: number): object => {
  const open = 42_000 + ((time / MINUTE) % 97);
  return {
    timestamp: new Date(time).toISOString(),
    ...{ open: `${open}.10`, close: `${open}.30`, min: `${open}.05`, max: `${open}.40` },
    ...{ volume: '1.50001', volume_quote: '63000' },
  };
};
