import process, { exit } from 'node:process';
import { WebSocket } from 'ws';
import { ASKING_LOTS } from './market.ts';

/** How the size of a bid that asks for an order is written. */
const ASKING = (ASKING_LOTS / 100_000).toFixed(5);
/** By so much the order is below the bid. */
const BELOW = 10_000;

interface Frame {
  readonly update?: { readonly BTCUSDT: { readonly b: readonly (readonly [string, string])[] } };
}

/** A socket as a client opens it that has nothing else to do. */
const open = (url: string): WebSocket => {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on('upgrade', (response) => response.socket.setNoDelay(true));
  return socket;
};

/**
 * The least that a client can do: it parses the frame of the market and writes an order, without rules,
 * limits, state or journal. What it takes is the way through sockets, kernel and runtime.
 */
function run(port: string): void {
  const base = `ws://127.0.0.1:${port}/api/3/ws`;
  const trading = open(`${base}/trading`);
  const market = open(`${base}/public`);
  let id = 0;
  trading.on('message', () => undefined);
  market.on('message', (data: Buffer) => {
    const { update } = JSON.parse(data.toString('utf8')) as Frame;
    const bid = update?.BTCUSDT.b.at(-1);
    if (bid?.[1] !== ASKING) return;
    id += 1;
    const name = `trivial-bare-${String(id).padStart(7, '0')}`;
    const price = (Number(bid[0]) - BELOW).toFixed(2);
    trading.send(
      `{"method":"spot_new_order","params":{"client_order_id":"${name}","symbol":"BTCUSDT","side":"buy","type":"limit","time_in_force":"IOC","quantity":"0.00010","price":"${price}","strict_validate":true},"id":${id}}`,
    );
  });
  market.on('open', () => {
    const params = { symbols: ['BTCUSDT'] };
    market.send(JSON.stringify({ method: 'subscribe', ch: 'orderbook/full', params, id: 1 }));
    trading.once('open', () => process.send?.({ kind: 'ready' }));
    if (trading.readyState === WebSocket.OPEN) process.send?.({ kind: 'ready' });
  });
  process.on('disconnect', () => exit(0));
}

const [, , what, port = ''] = process.argv;
if (what === 'bare') run(port);
