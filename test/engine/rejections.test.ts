import { filter, map, merge, mergeMap, of, Subject, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { RejectionCode } from '../../src/model/rejections.ts';
import { micros, US_PER_SECOND } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Context } from '../../src/strategy/context.ts';
import type { Order } from '../../src/model/order.ts';
import { oco } from '../../src/strategy/lists.ts';
import { cancel, place } from '../../src/strategy/orders.ts';
import { rig, type Rig } from './rig.ts';

const GOOD = place('BTCUSDT', { type: 'limit', side: 'buy', ticks: 5, lots: 1 });
/** Rejected before it leaves. */
const LEG = { type: 'limit', side: 'buy', ticks: 5, lots: -1 } as const;
const BAD = place('BTCUSDT', LEG);

/** Places again as soon as an order is rejected or canceled. */
const keeper =
  (command: Command, ...more: readonly Command[]) =>
  ({ account }: Context<unknown>): Observable<Command> =>
    merge(
      of(command),
      account.orders().pipe(
        filter(({ status }) => status === 'rejected' || status === 'canceled'),
        mergeMap(() => [command, ...more]),
      ),
    );

/** A keeper at a venue that rejects whatever it is sent, each request once. */
function rejecting(one: Rig, code: RejectionCode = 'funds-insufficient'): Rig {
  const send = one.wire.send.bind(one.wire);
  one.wire.send = (request) => {
    send(request);
    one.wire.reject(request, code);
  };
  return one;
}

const second = (count: number) => micros(count * US_PER_SECOND);

/** How many orders were rejected so far, here or at the venue. */
const rejections = ({ received }: Rig): number =>
  received('refused').length +
  received('report').filter(({ report }) => report.kind === 'rejected').length;

describe('a strategy that places again as soon as an order is rejected', () => {
  test.each<[string, () => Rig, string]>([
    ['before it left', () => rig(keeper(BAD)), 'The place was refused: '],
    ['by the venue', () => rejecting(rig(keeper(GOOD))), 'The place of test-0000101 was refused: '],
  ])('%s gets 10 answers a second and fails after 100 in a row', (_, make, last) => {
    const one = make();
    one.engine.start();
    expect(rejections(one)).toBeLessThan(4);
    one.clock.advanceTo(second(1));
    expect(rejections(one)).toBeLessThan(15);
    expect(one.engine.state).toBe('running');
    one.clock.advanceTo(second(20));
    expect(one.engine.failure).toMatchObject({ code: 'strategy-failed' });
    const message = String(one.engine.failure);
    expect(message).toContain('Strategy tested answers rejections at once');
    expect(message).toContain('100 in a row');
    expect(message).toContain(last);
    expect(rejections(one)).toBe(101);
    expect(one.clock.nextAt).toBe(Number.POSITIVE_INFINITY);
  });

  test('does not fail while the cause is temporary, is asked once a second, and goes on', () => {
    const one = rig(keeper(GOOD));
    const send = one.wire.send.bind(one.wire);
    rejecting(one, 'trading-halted');
    one.engine.start();
    one.clock.advanceTo(second(300));
    expect(one.engine.state).toBe('running');
    expect(rejections(one)).toBeGreaterThan(290);
    expect(rejections(one)).toBeLessThan(305);
    one.wire.send = send;
    one.clock.advanceTo(second(302));
    one.wire.accept();
    one.clock.advanceTo(second(400));
    expect(rejections(one)).toBeLessThan(305);
    expect(one.engine.state).toBe('running');
  });

  test('with more than one for each fails once 1,000 rejections wait', () => {
    const list = oco('BTCUSDT', [LEG, LEG]);
    for (const run of [keeper(list), keeper(BAD, ...Array.from({ length: 2_000 }, () => BAD))]) {
      const one = rig(run);
      one.engine.start();
      one.clock.advanceTo(second(600));
      expect(one.engine.failure).toMatchObject({ code: 'strategy-failed' });
      expect(String(one.engine.failure)).toContain('1000 wait to be shown');
    }
  });

  test('starts again when an answer was accepted', () => {
    const one = rig(keeper(GOOD));
    one.engine.start();
    const rejectAll = (count: number): void => {
      for (let i = 0; i < count; i += 1) {
        one.wire.reject();
        one.clock.advanceTo(micros(one.clock.now() + US_PER_SECOND));
      }
    };
    rejectAll(90);
    one.wire.accept();
    one.wire.end('test-0000091', 'canceled');
    rejectAll(90);
    expect(one.engine.state).toBe('running');
    rejectAll(11);
    expect(one.engine.state).toBe('failed');
  });

  test('is left alone by what waits when it is stopped', () => {
    const one = rig(keeper(BAD));
    one.engine.start();
    one.clock.advanceTo(second(2));
    const before = rejections(one);
    one.engine.stop();
    expect(one.clock.nextAt).toBe(Number.POSITIVE_INFINITY);
    one.clock.advanceTo(second(10));
    expect(rejections(one)).toBe(before);
  });
});

test('a cancel that is given again whenever it is rejected is paced as well', () => {
  const one = rig(({ account }) =>
    merge(
      of(GOOD),
      account.orders().pipe(
        filter(({ status }) => status === 'new'),
        map(({ clientOrderId }) => cancel(clientOrderId)),
      ),
    ),
  );
  const send = one.wire.send.bind(one.wire);
  one.wire.send = (request) => {
    send(request);
    if (request.kind === 'cancel') one.wire.reject(request, 'venue-refused');
    else one.wire.accept();
  };
  one.engine.start();
  one.clock.advanceTo(second(1));
  expect(rejections(one)).toBeLessThan(15);
  one.clock.advanceTo(second(20));
  expect(String(one.engine.failure)).toContain('The cancel of test-0000001 was refused');
});

test('rejections that answer nothing are shown at once, however many there are', () => {
  const commands = new Subject<Command>();
  const orders: Order[] = [];
  const one = rig(({ account }) => {
    account.orders().subscribe((order) => orders.push(order));
    return commands;
  });
  one.engine.start();
  for (let i = 0; i < 500; i += 1) commands.next(BAD);
  expect(orders).toHaveLength(500);
  expect(one.engine.state).toBe('running');
});
