import { Subject } from 'rxjs';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import type { InstrumentTerms } from '../../../src/model/instrument.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import { quote, target } from '../../../src/strategy/managed-orders.ts';
import { rig, TERMS, type Rig } from '../rig.ts';

export interface Wishing extends Rig {
  give(command: Command): void;
  /** Requests since the last call, the essentials of each. */
  sent(): readonly unknown[];
}

/** An engine with the opening balances told, and a strategy that says what it is told to. */
export function wishing(
  balances: Readonly<Record<string, string>> = { USDT: '1000' },
  terms: Partial<InstrumentTerms> = {},
): Wishing {
  const commands = new Subject<Command>();
  const parts = rig(() => commands, { terms: [{ ...TERMS, ...terms }] });
  for (const [currency, amount] of Object.entries(balances)) parts.wire.balance(currency, amount);
  parts.engine.start();
  let read = 0;
  return {
    ...parts,
    give: (command) => commands.next(command),
    sent: () => {
      const fresh = parts.wire.requests.slice(read);
      read = parts.wire.requests.length;
      return fresh.map(essence);
    },
  };
}

function essence(request: OrderRequest): unknown {
  if (request.kind === 'cancel') return ['cancel', numberOf(request.clientOrderId)];
  if (request.kind === 'replace') {
    return ['replace', numberOf(request.clientOrderId), request.lots, request.ticks];
  }
  if (request.kind === 'placeList') throw new Error('no wish places a list');
  const { side, type, lots: count, ticks } = request;
  return ticks === undefined ? [side, type, count] : [side, count, ticks];
}

/** The number in a client order id of the engine. */
export const numberOf = (clientOrderId: string): number => Number(clientOrderId.slice(-7));
/** The client order id of the engine of that number. */
export const id = (count: number): string => `test-${String(count).padStart(7, '0')}`;
export const TEN: TestEvent = { at: '00:00', trade: 10 };
export const trade = (at: string, price = 10): TestEvent => ({ at, trade: price });
export const hold = (count: number): Command => target('BTCUSDT', { lots: count });

export const bid = (ticks: number, count = 10): Command =>
  quote('BTCUSDT', { bid: { ticks, lots: count } });
