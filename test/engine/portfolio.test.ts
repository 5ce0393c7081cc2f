import { EMPTY, ignoreElements, map, merge, of, tap, timer, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { cancelAll, defineStrategy, rebalance, z, type Command, type Context } from 'millrace';
import { at, replay, type AuditEvent, type ReplayOptions } from 'millrace/testing';

const HALVES = rebalance(
  {
    'USDC@trading': { weight: '0.5', band: '0.05', reserve: '50' },
    'USDC@ethereum': { weight: '0.5', band: '0.05' },
  },
  { minimumValue: '25', maximumCost: '0.02' },
);

/** Everything that the engine tells while a strategy runs before a portfolio, or without one. */
function reported(
  run: (context: Context<unknown>) => Observable<Command>,
  options: ReplayOptions = { portfolio: [] },
): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  const strategy = defineStrategy({
    name: 'balancer',
    summary: 'Does what a test says.',
    parameters: z.object({}),
    run,
  });
  replay(strategy, {}, { ...options, audit: (event) => events.push(event) }).trades([
    ['00:10', 100],
  ]);
  return events;
}

const of_ = <K extends AuditEvent['kind']>(events: readonly AuditEvent[], kind: K) =>
  events.filter((event): event is Extract<AuditEvent, { kind: K }> => event.kind === kind);

/** Codes, fields and sentences of what is refused of a command. */
const rejections = (command: unknown, options?: ReplayOptions) =>
  of_(
    reported(() => of(command as Command), options),
    'refused',
  ).map(({ rejection }) => `${rejection.code} ${rejection.field ?? ''}: ${rejection.message}`);

describe('rebalance', () => {
  test('is plain frozen data, with limits where none are given', () => {
    expect(HALVES).toEqual({
      kind: 'rebalance',
      targets: {
        'USDC@trading': { weight: '0.5', band: '0.05', reserve: '50' },
        'USDC@ethereum': { weight: '0.5', band: '0.05' },
      },
      minimumValue: '25',
      maximumCost: '0.02',
    });
    expect(rebalance({})).toEqual({
      kind: 'rebalance',
      targets: {},
      minimumValue: '0',
      maximumCost: '0.01',
    });
    expect(JSON.parse(JSON.stringify(HALVES))).toEqual(HALVES);
    const parts = [HALVES, HALVES.targets, ...Object.values(HALVES.targets)];
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
  });

  test('reaches the portfolio with exact numbers', () => {
    const [{ request }] = of_(
      reported(() => of(HALVES)),
      'rebalance',
    );
    expect(JSON.parse(JSON.stringify(request.targets))).toEqual({
      holdings: [
        { asset: 'USDC', location: 'trading', weight: '0.5', band: '0.05', reserve: '50' },
        { asset: 'USDC', location: 'ethereum', weight: '0.5', band: '0.05', reserve: '0' },
      ],
      minimumValue: '25',
      maximumCost: '0.02',
    });
    const [patient] = of_(
      reported(() => of(rebalance(HALVES.targets, { slippage: '0.002' }))),
      'rebalance',
    );
    expect(patient.request.targets.slippage?.toFixed()).toBe('0.002');
  });

  test('is refused where later offers may bring less than nothing', () => {
    expect(rejections(rebalance(HALVES.targets, { slippage: '1.1' }))).toEqual([
      'targets-invalid slippage: slippage is 1.1 and must be from 0 to 1.',
    ]);
  });

  test('is refused where there is no portfolio', () => {
    expect(rejections(HALVES, {})).toEqual([
      'portfolio-missing : There is no portfolio here: describe one in `portfolio` of the configuration of a backtest, or in `portfolio.paper` of that of a paper bot, or name its configuration in `portfolio.config` of that of a live bot.',
    ]);
  });

  test('is refused where weights are not 1 together, and where a name is no holding', () => {
    const half = { weight: '0.5', band: '0.05' };
    expect(rejections(rebalance({ 'USDC@trading': half }))).toEqual([
      'targets-invalid weight: The weights are 0.5 together and must be 1.',
    ]);
    expect(rejections(rebalance({ USDC: { weight: '1', band: '0' } }))).toEqual([
      'targets-invalid USDC: "USDC" is no holding; name an asset at a location, such as USDC@ethereum.',
    ]);
    expect(rejections(rebalance({}))).toHaveLength(1);
  });

  test('is refused where code that no compiler has read gives other values', () => {
    const holding = (target: unknown) => ({ ...HALVES, targets: { 'USDC@ethereum': target } });
    const given = [
      ...[holding({ weight: 0.5, band: '0.05' }), holding({ weight: '1' }), holding('all of it')],
      ...[
        holding({ weight: '1', band: '0', reserve: null }),
        holding({ weight: '1,5', band: '0' }),
      ],
      ...[
        { ...HALVES, targets: 7 },
        { ...HALVES, targets: undefined },
      ],
      ...[
        { ...HALVES, minimumValue: 25 },
        { kind: 'rebalance', targets: HALVES.targets },
      ],
    ];
    expect(given.flatMap((command) => rejections(command))).toEqual([
      "targets-invalid USDC@ethereum.weight: USDC@ethereum.weight is 0.5 and must be a decimal as text, such as '0.05'.",
      "targets-invalid USDC@ethereum.band: USDC@ethereum.band is undefined and must be a decimal as text, such as '0.05'.",
      "targets-invalid USDC@ethereum.weight: USDC@ethereum has neither weight nor amount; give one of them, a decimal as text, such as '0.05'.",
      "targets-invalid USDC@ethereum.reserve: USDC@ethereum.reserve is null and must be a decimal as text, such as '0.05'.",
      'targets-invalid USDC@ethereum.weight: USDC@ethereum.weight is "1,5" and must be a decimal as text, such as \'0.05\'.',
      'targets-invalid targets: targets is 7 and must be holdings by name, such as USDC@ethereum.',
      'targets-invalid targets: targets is undefined and must be holdings by name, such as USDC@ethereum.',
      "targets-invalid minimumValue: minimumValue is 25 and must be a decimal as text, such as '0.05'.",
      "targets-invalid minimumValue: minimumValue is undefined and must be a decimal as text, such as '0.05'.",
    ]);
  });

  test('takes amounts beside weights, and refuses what cannot be meant by them', () => {
    const rest = { 'USDC@trading': { weight: '1', band: '0' } };
    const of_amount = (target: object) =>
      rejections({ ...HALVES, targets: { ...rest, 'USDC@ethereum': target } });
    const managed = rebalance({ ...rest, 'USDC@ethereum': { amount: '5000', band: '250' } });
    const [{ request }] = of_(
      reported(() => of(managed), { portfolio: [] }),
      'rebalance',
    );
    const [, amount] = request.targets.holdings;
    expect([
      `${amount.asset}@${amount.location}`,
      amount.amount?.toFixed(),
      amount.band.toFixed(),
    ]).toEqual([...['USDC@ethereum', '5000', '250']]);
    expect(amount).not.toHaveProperty('weight');
    expect([
      ...of_amount({ amount: '-1', band: '0' }),
      ...of_amount({ amount: '5', band: '-1' }),
      ...of_amount({ amount: 5, band: '1' }),
      ...of_amount({ amount: '5', weight: '0', band: '1' }),
      ...of_amount({ amount: '5', band: '1', reserve: '7' }),
      ...of_amount({ amout: '5', band: '1' }),
      ...rejections(rebalance({ 'USDC@ethereum': { amount: '5', band: '1' } })),
    ]).toEqual([
      'targets-invalid USDC@ethereum.amount: USDC@ethereum.amount is -1 and must not be below 0.',
      'targets-invalid USDC@ethereum.band: USDC@ethereum.band is -1 and must not be below 0.',
      "targets-invalid USDC@ethereum.amount: USDC@ethereum.amount is 5 and must be a decimal as text, such as '0.05'.",
      'targets-invalid USDC@ethereum: USDC@ethereum is given weight and amount; give one of them.',
      'targets-invalid USDC@ethereum.reserve: The reserve of USDC@ethereum is 7, which is more than the 6 that its amount and band allow.',
      'request-invalid USDC@ethereum.amout: USDC@ethereum has no member "amout"; did you mean amount?',
      'targets-invalid weight: Every target is an amount, so that nothing says where the rest of the portfolio belongs; give one holding weight 1.',
    ]);
  });

  test('cannot be changed by the strategy once it is given', () => {
    const target = { weight: '1', band: '0' };
    const command = { ...rebalance({}), targets: { 'USDC@ethereum': target } };
    const [{ command: taken }] = of_(
      reported(() => of(command)),
      'command',
    );
    target.weight = '0';
    expect(taken).toEqual(rebalance({ 'USDC@ethereum': { weight: '1', band: '0' } }));
    expect(Object.isFrozen((taken as typeof HALVES).targets)).toBe(true);
  });

  test('of warm-up is held, the last one alone, through cancelAll too', () => {
    const first = rebalance({ 'USDC@ethereum': { weight: '1', band: '0' } });
    const events = reported(() => of(first, HALVES, cancelAll()), {
      portfolio: [],
      warmUpUntil: '00:05',
    });
    expect(of_(events, 'warm-up-end').map(({ managedOrders }) => managedOrders)).toEqual([
      [HALVES],
    ]);
    expect(of_(events, 'rebalance')).toHaveLength(1);
  });
});

describe('the portfolio', () => {
  const NEWS: ReplayOptions['portfolio'] = [
    { at: '00:01', holdings: { 'USDC@trading': '900', 'USDC@ethereum': '100' } },
    { at: '00:02', holdings: { 'USDC@trading': '500', 'USDC@ethereum': '499' } },
    { at: '00:03', report: { state: 'done', message: 'All transfers have ended.', plan: 'p' } },
  ];

  test('emits holdings at once and after every change, and the state of a rebalance', () => {
    const seen: string[] = [];
    reported(
      ({ portfolio }) =>
        merge(
          portfolio.holdings().pipe(tap((held) => seen.push(`held ${String(held[0]?.amount)}`))),
          portfolio
            .rebalances()
            .pipe(tap(({ state, plan }) => seen.push(`${state} ${String(plan)}`))),
          timer(90_000).pipe(
            tap(() =>
              portfolio
                .holdings()
                .subscribe((held) => seen.push(`late ${String(held[1]?.amount)}`)),
            ),
          ),
        ).pipe(ignoreElements()),
      { portfolio: NEWS },
    );
    expect(seen).toEqual(['held 900', 'late 100', 'held 500', 'late 499', 'done p']);
  });

  test('is silent where there is none', () => {
    const seen: unknown[] = [];
    reported(({ portfolio }) => {
      portfolio.holdings().subscribe((held) => seen.push(held));
      portfolio.rebalances().subscribe((report) => seen.push(report));
      return EMPTY;
    }, {});
    expect(seen).toEqual([]);
  });

  test('lets a strategy answer its events like any other', () => {
    const strategy = defineStrategy({
      name: 'balancer',
      summary: 'Rebalances as it holds.',
      parameters: z.object({}),
      run: ({ portfolio }) => portfolio.holdings().pipe(map(() => HALVES)),
    });
    expect(replay(strategy, {}, { portfolio: NEWS }).trades([['00:10', 100]])).toEqual([
      at('00:01', HALVES),
      at('00:02', HALVES),
    ]);
  });
});
