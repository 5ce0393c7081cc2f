import { describe, expect, test, vi } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import type { RebalanceReport } from '../../../src/swaps/execution/report.ts';
import { Rig, holding, type ManagedOrder } from './rig.ts';
import { MINUTE, SECOND } from './service.ts';

const ONE = { id: '1', from: 'USDC@ethereum', to: 'USDC@solana', send: '100' };
const TWO = {
  id: '2',
  from: 'USDC@solana',
  to: 'BTC@bitcoin',
  send: '150',
  after: [{ transfer: '1', amount: decimal('99.495') }],
};

const states = (report: RebalanceReport): readonly string[] =>
  report.plans.at(-1)?.transfers.map(({ record }) => record.state) ?? [];
const reported = (rig: Rig, kind: string): readonly string[] =>
  rig.reports.flatMap(({ happening }) => (happening.kind === kind ? [happening.message] : []));

describe('a plan', () => {
  test('passes its states in order and tells what it cost to the last digit', async () => {
    const rig = new Rig();
    const report = await rig.run(rig.executor().execute(rig.plan('p', [ONE])));
    expect(reported(rig, 'moved').map((line) => line.replace(/^.* is /, ''))).toEqual([
      ...['created.', 'approved.', 'deposited.', 'fulfilled.'],
    ]);
    expect(report.state).toBe('done');
    // 100 leave, and 100 x 0.99 x 1.005 arrive.
    expect(report.plans[0]?.cost.toFixed()).toBe('0.505');
    expect(report.plans[0]?.plannedCost.toFixed()).toBe('0.505');
    expect(rig.service.balance(holding('USDC@solana')).toFixed()).toBe('99.495');
    expect(rig.journal.underWay()).toEqual([]);
  });

  test('writes each step down before it does it', async () => {
    const rig = new Rig();
    const events: string[] = [];
    const write = rig.journal.write.bind(rig.journal);
    rig.journal.write = (transfer) => {
      events.push(`write ${transfer.step?.name ?? transfer.record.state}`);
      write(transfer);
    };
    const perform = rig.route.perform.bind(rig.route);
    rig.route.perform = (transfer, step) => {
      events.push(`perform ${step.name}`);
      return perform(transfer, step);
    };
    await rig.run(rig.executor().execute(rig.plan('p', [ONE])));
    expect(events).toEqual([
      ...['write createIntent', 'perform createIntent', 'write created'],
      ...['write approve', 'perform approve', 'write approved'],
      ...['write deposited', 'write fulfilled'],
    ]);
  });

  test('lets a transfer wait for those that it counts on, and sends less where less arrived', async () => {
    const rig = new Rig();
    rig.service.courses.push('deliversLess');
    const report = await rig.run(rig.executor().execute(rig.plan('p', [ONE, TWO])));
    expect(report.state).toBe('done');
    const second = report.plans[0]?.transfers[1]?.record;
    // 99 arrived and not 99.495.
    expect(second?.send.toFixed()).toBe('149.505');
    expect(rig.route.requests.indexOf('approve intent-2')).toBeGreaterThan(
      rig.route.requests.indexOf('observe intent-1'),
    );
  });

  test('does not send what never arrived', async () => {
    const rig = new Rig();
    rig.service.courses.push('refunds');
    const all = { ...TWO, send: '99.495' };
    const report = await rig.run(rig.executor().execute(rig.plan('p', [ONE, all])));
    expect(states(report)).toEqual(['refunded', 'expired']);
    expect(report.state).toBe('incomplete');
    expect(report.plans[0]?.transfers[1]?.record.reason).toBe('Nothing arrived of what it sends.');
    // A tenth is kept by the service when it gives back.
    expect(report.plans[0]?.cost.toFixed()).toBe('0.1');
  });

  test('is refused where it cannot be carried out, and nothing is begun', () => {
    const rig = new Rig();
    const executor = rig.executor();
    const refuses = (managedOrders: readonly ManagedOrder[], part: string): void => {
      expect(() => executor.execute(rig.plan('p', managedOrders))).toThrow(part);
    };
    refuses([ONE, ONE], 'another one of that id');
    refuses([TWO, ONE], 'does not stand before it');
    refuses([{ ...ONE, send: '0' }], 'it sends nothing');
    const after = [{ transfer: '1', amount: decimal('99.495') }];
    refuses([ONE, { ...TWO, from: 'USDC@tron', after }], '1 brings nothing to USDC@tron');
    refuses([ONE, { ...TWO, after: [...after, ...after] }], 'it counts on 1 twice');
    refuses([ONE, { ...TWO, send: '99', after }], 'is not part of what it sends');
    refuses([ONE, { ...TWO, after: [{ transfer: '1', amount: decimal('-1') }] }], 'is not part of');
    refuses([{ ...ONE, to: 'USDC@ethereum' }], 'to itself');
    refuses([{ ...ONE, to: 'SOL@solana' }], 'what SOL is worth');
    const other = rig.plan('p', [ONE]);
    const transfers = other.transfers.map((one) => ({
      ...one,
      offer: { ...one.offer, route: 'x' },
    }));
    expect(() => executor.execute({ ...other, transfers })).toThrow('no route x');
    expect(rig.journal.underWay()).toEqual([]);
  });
});

describe('an offer that is no longer valid', () => {
  test('is asked for anew, and taken where it brings what the plan asks for', async () => {
    const rig = new Rig();
    const plan = rig.plan('p', [ONE]);
    await rig.pass(2 * MINUTE);
    rig.service.rate = decimal('0.995');
    const report = await rig.run(rig.executor().execute(plan));
    expect(report.state).toBe('done');
    expect(rig.route.requests[0]).toBe('quote');
    expect(report.plans[0]?.transfers[0]?.record.least.toFixed()).toBe('99.5');
  });

  test('is not replaced by one that brings less', async () => {
    const rig = new Rig();
    const plan = rig.plan('p', [ONE]);
    await rig.pass(2 * MINUTE);
    rig.service.rate = decimal('0.9899');
    const report = await rig.run(rig.executor().execute(plan));
    expect(states(report)).toEqual(['expired']);
    expect(report.plans[0]?.transfers[0]?.record.reason).toBe(
      'A new offer brings 98.99 at the least for 100, which costs 1.01; the plan allows 1.',
    );
    expect(rig.service.intents).toEqual([]);
  });

  test('may cost as much for less as was planned for all, as fees do not shrink', async () => {
    const rig = new Rig();
    const plan = rig.plan('p', [ONE, TWO]);
    rig.service.courses.push('refunds');
    // Of 150 only 50.505 are there: in proportion 49.99995 would be asked for.
    rig.service.fee = decimal('0.5');
    const report = await rig.run(rig.executor().execute(plan));
    expect(states(report)).toEqual(['refunded', 'fulfilled']);
    expect(report.plans[0]?.transfers[1]?.record).toMatchObject({
      send: decimal('50.505'),
      least: decimal('49.49995'),
    });
  });

  test('is not replaced by one that makes the plan cost more than it may', async () => {
    const rig = new Rig();
    const plan = rig.plan('p', [ONE], '0.5');
    const [transfer] = plan.transfers;
    if (transfer === undefined) throw new Error('there is no transfer');
    await rig.pass(2 * MINUTE);
    const lenient = { ...plan, transfers: [{ ...transfer, least: decimal('90') }] };
    const report = await rig.run(rig.executor().execute(lenient));
    expect(report.plans[0]?.transfers[0]?.record.reason).toBe(
      'With a new offer the plan would cost 0.505 and may cost 0.5.',
    );
  });

  test('is waited for while there is none, and the transfer given up in time', async () => {
    const rig = new Rig();
    const plan = rig.plan('p', [ONE]);
    await rig.pass(2 * MINUTE);
    rig.route.rejection = { code: 'liquidity-insufficient', message: 'There is not enough.' };
    const report = await rig.run(rig.executor().execute(plan));
    expect(report.plans[0]?.transfers[0]?.record).toMatchObject({
      state: 'expired',
      reason: 'It was not paid in time. There is not enough.',
    });
    expect(report.at - plan.createdAt).toBeLessThan(18 * MINUTE);
  });

  test('is asked for less and less often where all have expired when they come, as by a clock that is ahead', async () => {
    const rig = new Rig();
    rig.service.quoteUs = -MINUTE;
    const report = await rig.run(rig.executor().execute(rig.plan('p', [ONE])));
    expect(report.plans[0]?.transfers[0]?.record).toMatchObject({ state: 'expired' });
    expect(report.plans[0]?.transfers[0]?.record.reason).toContain('the clock here may be ahead');
    expect(rig.route.requests.length).toBeLessThan(50);
    expect(rig.service.intents).toEqual([]);
  });

  test('is not waited for where it is refused for good', async () => {
    const rig = new Rig();
    const plan = rig.plan('p', [ONE]);
    await rig.pass(2 * MINUTE);
    rig.route.rejection = { code: 'amount-below-minimum', message: 'It is too little.' };
    const report = await rig.run(rig.executor().execute(plan));
    expect(report.plans[0]?.transfers[0]?.record.reason).toBe('It is too little.');
    expect(report.at - plan.createdAt).toBeLessThan(3 * MINUTE);
  });
});

describe('a step of which nobody knows whether it was done', () => {
  test('is asked for and not done again where it was done', async () => {
    const rig = new Rig();
    rig.route.fates.push('answered', 'answerLost');
    const report = await rig.run(rig.executor().execute(rig.plan('p', [ONE])));
    expect(report.state).toBe('done');
    expect(rig.route.requests.filter((one) => one.startsWith('approve'))).toHaveLength(1);
    expect(rig.route.requests).toContain('recall intent-1');
  });

  test('is done again for the same intent where it was not done', async () => {
    const rig = new Rig();
    rig.route.fates.push('answered', 'requestLost');
    const report = await rig.run(rig.executor().execute(rig.plan('p', [ONE])));
    expect(report.state).toBe('done');
    expect(rig.route.requests.filter((one) => one.startsWith('approve'))).toEqual([
      ...['approve intent-1', 'approve intent-1'],
    ]);
    expect(rig.service.intents).toHaveLength(1);
  });

  test('keeps a transfer from another intent for good once it may pay', async () => {
    const rig = new Rig();
    rig.route.fates.push('answered', ...Array.from({ length: 60 }, () => 'requestLost' as const));
    const report = await rig.run(rig.executor().execute(rig.plan('p', [ONE])));
    // The service ends the intent, and the first one only was ever approved.
    expect(states(report)).toEqual(['expired']);
    expect(rig.service.intents).toHaveLength(1);
  });
});

describe('a transfer that takes long', () => {
  test('is given up where nothing was paid', async () => {
    const rig = new Rig();
    rig.route.next = () => undefined;
    rig.route.observe = () => Promise.resolve(undefined);
    rig.service.quoteUs = 60 * MINUTE;
    const report = await rig.run(rig.executor().execute(rig.plan('p', [ONE])));
    expect(states(report)).toEqual(['expired']);
    expect(report.plans[0]?.transfers[0]?.record.reason).toBe('It was not paid in time.');
  });

  test('is reported as late where it was paid, and watched to its end', async () => {
    const rig = new Rig();
    rig.service.courses.push('deliversLate');
    const report = await rig.run(rig.executor().execute(rig.plan('p', [ONE])));
    expect(reported(rig, 'late')).toEqual([
      'The transfer of 100 USDC@ethereum to USDC@solana is deposited and takes longer than it should.',
    ]);
    expect(rig.reports.some(({ plans }) => plans[0]?.transfers[0]?.late)).toBe(true);
    expect(report.state).toBe('done');
    expect(report.plans[0]?.transfers[0]?.late).toBe(false);
  });

  test('is looked at less and less often', async () => {
    const rig = new Rig();
    rig.service.courses.push('deliversLate');
    await rig.run(rig.executor().execute(rig.plan('p', [ONE])));
    // Five hours: every half minute after the first few looks.
    const looks = rig.route.requests.filter((one) => one.startsWith('observe')).length;
    expect(looks).toBeGreaterThan(500);
    expect(looks).toBeLessThan(620);
  });
});

describe('a journal that cannot be written', () => {
  test('keeps everything from being sent until it can be', async () => {
    const rig = new Rig();
    const write = rig.journal.write.bind(rig.journal);
    rig.journal.write = () => {
      throw new MillraceError('journal-unwritable', 'The disk is full.');
    };
    const whole = rig.executor().execute(rig.plan('p', [ONE]));
    await rig.pass(30 * SECOND);
    expect(rig.route.requests).toEqual([]);
    expect(reported(rig, 'trouble')).toContain('The disk is full.');
    rig.journal.write = write;
    expect((await rig.run(whole)).state).toBe('done');
  });

  test('loses nothing of what was done while it could not', async () => {
    const rig = new Rig();
    const write = rig.journal.write.bind(rig.journal);
    let isFull = false;
    rig.journal.write = (transfer) => {
      if (isFull) throw new MillraceError('journal-unwritable', 'The disk is full.');
      write(transfer);
      isFull = transfer.step?.name === 'createIntent';
    };
    const whole = rig.executor().execute(rig.plan('p', [ONE]));
    await rig.pass(30 * SECOND);
    expect(rig.route.requests).toEqual(['create for p/1']);
    isFull = false;
    expect((await rig.run(whole)).state).toBe('done');
    expect(rig.service.intents).toHaveLength(1);
  });
});

describe('transfers that did not succeed', () => {
  test('are followed by one more plan, from what is held then', async () => {
    const rig = new Rig();
    rig.service.courses.push('refunds', 'refunds', 'delivers');
    const asked: RebalanceReport[] = [];
    const replan = (report: RebalanceReport) => {
      asked.push(report);
      return Promise.resolve(rig.plan(`p${asked.length}`, [{ ...ONE, send: '50' }]));
    };
    const report = await rig.run(rig.executor({ replan }).execute(rig.plan('p', [ONE])));
    expect(asked).toHaveLength(1);
    expect(report.plans.map(({ id }) => id)).toEqual(['p', 'p1']);
    expect(report.state).toBe('incomplete');
    expect(reported(rig, 'replanned')).toEqual(['Plan p1 follows.']);
  });

  test('are not followed by a plan where all succeeded', async () => {
    const rig = new Rig();
    const replan = () => Promise.reject(new Error('it is asked'));
    const report = await rig.run(rig.executor({ replan }).execute(rig.plan('p', [ONE])));
    expect(report.state).toBe('done');
    expect(reported(rig, 'trouble')).toEqual([]);
  });

  test('stay as they are where no plan leads to the targets, or there is nothing left to move', async () => {
    const rig = new Rig();
    rig.service.courses.push('refunds', 'refunds');
    const rejection = { code: 'plan-impossible', message: 'Nothing leads there.' } as const;
    const replan = () => Promise.resolve(rejection);
    const report = await rig.run(rig.executor({ replan }).execute(rig.plan('p', [ONE])));
    expect(report.state).toBe('incomplete');
    expect(reported(rig, 'trouble')).toEqual(['There is no further plan: Nothing leads there.']);
    const none = { replan: () => Promise.resolve(rig.plan('none', [])) };
    const second = await rig.run(rig.executor(none).execute(rig.plan('q', [ONE])));
    expect(second.plans.map(({ id }) => id)).toEqual(['q']);
  });

  test('are followed by a plan later where that fails for now', async () => {
    const rig = new Rig();
    rig.service.courses.push('refunds');
    let asked = 0;
    const replan = () => {
      asked += 1;
      if (asked < 3) return Promise.reject(new Error('The node does not answer.'));
      return Promise.resolve(rig.plan('q', [ONE]));
    };
    const report = await rig.run(rig.executor({ replan }).execute(rig.plan('p', [ONE])));
    expect(asked).toBe(3);
    expect(report.state).toBe('done');
  });
});

describe('a second rebalance', () => {
  test('is refused while one is under way', async () => {
    const rig = new Rig();
    const executor = rig.executor();
    const whole = executor.execute(rig.plan('p', [ONE]));
    expect(executor.isRunning).toBe(true);
    expect(() => executor.execute(rig.plan('q', [ONE]))).toThrow('A rebalance is under way');
    await rig.run(whole);
    expect(() => executor.execute(rig.plan('p', [ONE]))).toThrow('There was a plan p before');
    expect((await rig.run(executor.execute(rig.plan('q', [ONE])))).state).toBe('done');
  });

  test('supersedes what is unpaid and waits for what is paid', async () => {
    const rig = new Rig();
    const executor = rig.executor({ replan: () => Promise.reject(new Error('it is asked')) });
    void executor.execute(rig.plan('p', [ONE, TWO]));
    await rig.pass(3 * SECOND);
    const report = await rig.run(executor.supersede('There are new targets.'));
    expect(states(report)).toEqual(['fulfilled', 'expired']);
    expect(report.plans[0]?.transfers[1]?.record.reason).toBe('There are new targets.');
    expect(report.plans[0]?.superseded).toBe('There are new targets.');
    expect(executor.supersede('again')).toBeUndefined();
  });

  test('gives up what is unpaid though the journal cannot say so at once', async () => {
    const rig = new Rig();
    const executor = rig.executor();
    const whole = executor.execute(rig.plan('p', [ONE, TWO]));
    await rig.pass(3 * SECOND);
    const failing = vi.spyOn(rig.journal, 'supersede').mockImplementation(() => {
      throw new MillraceError('journal-unwritable', 'The disk is full.');
    });
    expect(() => executor.supersede('Trading is killed.')).toThrow('The disk is full.');
    failing.mockRestore();
    const report = await rig.run(whole);
    expect(states(report)).toEqual(['fulfilled', 'expired']);
    expect(report.plans[0]?.transfers[1]?.record.reason).toBe('Trading is killed.');
  });
});

describe('an executor that is closed', () => {
  test('leaves everything as the journal has it, and another one goes on', async () => {
    const rig = new Rig();
    const first = rig.executor();
    const whole = first.execute(rig.plan('p', [ONE, TWO]));
    await rig.pass(3 * SECOND);
    await rig.run(first.close());
    expect((await whole).happening.kind).toBe('interrupted');
    expect(() => first.resume()).toThrow('this executor is closed');
    const second = rig.executor();
    expect(() => second.execute(rig.plan('q', [ONE]))).toThrow('resume it first');
    const report = await rig.run(second.resume());
    expect(report.state).toBe('done');
    expect([...rig.service.payments]).toEqual([
      ['p/1', 1],
      ['p/2', 1],
    ]);
    expect(rig.executor().resume()).toBeUndefined();
  });

  test('is not gone on with by a configuration that lacks a route of it', async () => {
    const rig = new Rig();
    const first = rig.executor();
    void first.execute(rig.plan('p', [ONE]));
    await rig.run(first.close());
    expect(() => rig.executor({ routes: [] }).resume()).toThrow(
      'Plan p is under way by scripted, which the configuration no longer has',
    );
  });
});
