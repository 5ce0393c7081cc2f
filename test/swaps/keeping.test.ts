import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { micros, US_PER_DAY, US_PER_HOUR } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import { TransactionLog } from '../../src/swaps/chains/transaction-log.ts';
import type { ChainTransaction, ChainWorld } from '../../src/swaps/chains/chain-world.ts';
import type { Intent } from '../../src/swaps/intents/intent.ts';
import { IntentIndex as Intents } from '../../src/swaps/intents/intent-index.ts';
import { forgetOld } from '../../src/swaps/keeping.ts';
import type { ExchangeOrder } from '../../src/swaps/orders/order.ts';
import { Payins, type PayinsSetup } from '../../src/swaps/orders/payins.ts';
import { ExchangeOrderIndex as Orders } from '../../src/swaps/orders/order-index.ts';
import { sizeOf } from '../kit/size.ts';
import { NETWORKS, rejectedWith, STARTED, USDC_ETHEREUM } from './chains/harness.ts';

const HOUR = US_PER_HOUR;

test('what is too much, a day old and ended is forgotten, oldest first, as a naive look says', () => {
  const one = fc.record({ hours: fc.nat({ max: 9 }), ended: fc.boolean() });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 30 }), fc.nat({ max: 20 }), (given, most) => {
      let at = 0;
      const all = given.map(({ hours, ended }, index) => {
        at += hours * HOUR;
        return { id: String(index), at: micros(at), ended };
      });
      const now = micros(at + HOUR);
      const kept = new Map(all.map((each) => [each.id, each]));
      const forgotten = forgetOld(kept, now, {
        most,
        hasEnded: ({ ended }) => ended,
        begunAt: ({ at: begun }) => begun,
      });
      const may = all.filter(({ ended, at: begun }) => ended && begun <= now - US_PER_DAY);
      const gone = may.slice(0, Math.max(0, all.length - most));
      expect(forgotten).toEqual(gone);
      expect([...kept.values()]).toEqual(all.filter((each) => !gone.includes(each)));
    }),
  );
});

/** A record of each minute, from one day on to the next. */
const records = <T>(count: number, make: (id: string, minute: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, minute) => make(String(minute), minute));
const at = (minute: number) => micros(STARTED + minute * 60_000_000);

describe('a service that runs for weeks', () => {
  test('keeps ten thousand intents, and all whose money is under way', () => {
    const register = new Intents();
    const states = ['finished', 'failed', 'refunded', 'expired', 'deposited'] as const;
    const count = sizeOf('MILLRACE_RECORDS', 12_000, 30_000);
    for (const intent of records(count, (id, minute) => ({
      id,
      state: states[minute % 5],
      createdAt: at(minute),
      // One in a hundred of those that are finished waits for its escrow to be taken.
      ...(minute % 500 === 0 ? {} : { swap: { hash: id, at: at(minute) } }),
    }))) {
      register.add(intent as unknown as Intent);
    }
    const kept = [...register.all()];
    const ended = kept.filter(({ state, swap }) => state !== 'deposited' && swap !== undefined);
    // A fifth is deposited and one in five hundred waits for a claim; the others are the latest.
    const underWay = count / 5 + count / 500;
    expect([kept.length, kept.length - ended.length]).toEqual([10_000, underWay]);
    const latest = (10_000 - underWay) / (1 - underWay / count);
    expect(ended.map(({ createdAt }) => createdAt)[0]).toBeGreaterThan(at(count - latest - 5));
    expect(rejectedWith(register.find('1'))).toBe('intent-unknown');
  });

  test('keeps ten thousand exchange orders, those that still hold money, and those that are needed', () => {
    const register = new Orders((id) => id === '7');
    const states = ['finished', 'refunded', 'expired', 'failed'] as const;
    const forgotten = records(20_000, (id, minute) => ({
      id,
      state: minute === 7 ? 'finished' : states[minute % 4],
      createdAt: at(minute),
    })).flatMap((order) => register.add(order as unknown as ExchangeOrder));
    expect(forgotten).toHaveLength(10_000);
    expect(register.all()).toHaveLength(10_000);
    expect(new Set(forgotten.map(({ state }) => state))).toEqual(
      new Set(['finished', 'refunded', 'expired']),
    );
    expect(register.of('7').state).toBe('finished');
  });

  test('forgets nothing of the last day, however much that is', () => {
    const register = new Orders(() => false);
    for (const order of records(30_000, (id, number) => ({
      id,
      state: 'finished',
      createdAt: micros(STARTED + number),
    })))
      // prettier-ignore
      register.add(order as unknown as ExchangeOrder);
    expect(register.all()).toHaveLength(30_000);
  });

  test('hears nothing of the address of an order that is forgotten', () => {
    let pay = (_: ChainTransaction): void => undefined;
    const received: string[] = [];
    const order = {
      id: 'a',
      from: 'usdc',
      payinAddress: '0x1',
      state: 'waiting',
      createdAt: at(0),
    } as unknown as ExchangeOrder;
    const register = new Orders(() => false);
    register.add(order);
    const payins = new Payins({
      chains: {
        follow: (listener: typeof pay) => {
          pay = listener;
          return () => undefined;
        },
      } as unknown as ChainWorld,
      currencies: {
        of: () => ({ chain: { code: 'ethereum' }, terms: { id: USDC_ETHEREUM } }),
      } as unknown as PayinsSetup['currencies'],
      register,
      handler: {
        paid: ({ id }) => void received.push(`paid ${id}`),
        paidAgain: ({ id }) => void received.push(`again ${id}`),
        confirmed: ({ id }) => void received.push(`confirmed ${id}`),
      },
    });
    const paid = (hash: string): void =>
      pay({ network: 'ethereum', to: '0x1', hash, index: 0, lots: 5n, token: USDC_ETHEREUM } as ChainTransaction); // prettier-ignore
    payins.watch(order);
    paid('first');
    payins.assign(order, { hash: 'first', index: 0, lots: 5n, confirmations: 0 });
    paid('first');
    payins.forget({ ...order, payin: { hash: 'first', index: 0, lots: 5n, confirmations: 1 } });
    paid('first');
    paid('second');
    expect(received).toEqual(['paid a', 'confirmed a']);
  });

  test('keeps a hundred thousand transactions of chains, and all that wait for blocks', () => {
    const scheduler = new VirtualScheduler(STARTED);
    const transactionLog = new TransactionLog(scheduler, NETWORKS);
    const [network] = NETWORKS;
    if (network === undefined) throw new Error('there is no network');
    const add = (number: number): void => {
      const made = { network: network.code, hash: String(number), index: 0, confirmations: 0 };
      transactionLog.add(network, [{ ...made, at: scheduler.now() } as ChainTransaction]);
    };
    for (let number = 0; number < 110_000; number += 1) add(number);
    // They are young, and not confirmed yet.
    expect(transactionLog.find(network.code, '0')).toHaveLength(1);
    scheduler.advanceTo(micros(scheduler.now() + 2 * US_PER_DAY));
    add(110_000);
    expect(transactionLog.find(network.code, '10000')).toEqual([]);
    expect(transactionLog.find(network.code, '10001')).toHaveLength(1);
    expect(transactionLog.find(network.code, '110000')).toHaveLength(1);
  });
});
