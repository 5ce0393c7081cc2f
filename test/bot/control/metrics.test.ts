import { expect, test } from 'vitest';
import { BotMetrics } from '../../../src/bot/control/metrics/metrics.ts';
import { MARGIN_ACCOUNTS, MARGIN_POSITIONS } from './margin-lines.ts';
import { SmallBot } from './small-bot.ts';

const made = (): BotMetrics => new BotMetrics({ bot: 'small', mode: 'live', version: '1.2.3' });

/** Samples by what stands before their value. */
async function samples(metrics: BotMetrics, bot?: SmallBot): Promise<ReadonlyMap<string, string>> {
  const text = await metrics.text(bot);
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  );
}

test('spans become histograms in seconds, whose buckets count what is no longer than they', async () => {
  const metrics = made();
  for (const us of [10, 11, 25, 1_000, 2_000_000]) metrics.decision('main', us, us / 2);
  const found = await samples(metrics);
  const bucket = (le: string): string | undefined =>
    found.get(`millrace_decision_seconds_bucket{le="${le}",account="main"}`);
  expect(
    ['0.00001', '0.000025', '0.00005', '0.001', '1', '+Inf'].map((le) =>
      bucket(String(le === '+Inf' ? le : Number(le))),
    ),
  ).toEqual(['1', '3', '3', '4', '4', '5']);
  expect(found.get('millrace_decision_seconds_sum{account="main"}')).toBe('2.001046');
  expect(found.get('millrace_decision_seconds_count{account="main"}')).toBe('5');
  expect(found.get('millrace_journal_seconds_sum{account="main"}')).toBe('1.000523');
});

test('a feed of a clock that runs ahead is delayed by nothing, and accounts are kept apart', async () => {
  const metrics = made();
  metrics.feedDelay('main', -5_000);
  metrics.feedDelay('other', 300);
  metrics.acknowledged('main', 1_500_000);
  const found = await samples(metrics);
  expect(found.get('millrace_feed_delay_seconds_sum{account="main"}')).toBe('0');
  expect(found.get('millrace_feed_delay_seconds_bucket{le="0.0001",account="main"}')).toBe('1');
  expect(found.get('millrace_feed_delay_seconds_bucket{le="0.0001",account="other"}')).toBe('0');
  expect(found.get('millrace_feed_delay_seconds_bucket{le="0.0005",account="other"}')).toBe('1');
  expect(found.get('millrace_acknowledgement_seconds_sum{account="main"}')).toBe('1.5');
});

test('the text has each histogram as Prometheus writes it, labels quoted', async () => {
  const metrics = made();
  metrics.acknowledged('a"\\\n', 30_000_000);
  const text = await metrics.text(undefined);
  const own = text.slice(text.indexOf('# HELP millrace_acknowledgement_seconds'));
  const lines = own.slice(0, own.indexOf('\n\n')).split('\n');
  expect([...lines.slice(0, 3), ...lines.slice(-4)]).toEqual([
    '# HELP millrace_acknowledgement_seconds From sending a request to the first report on it.',
    '# TYPE millrace_acknowledgement_seconds histogram',
    'millrace_acknowledgement_seconds_bucket{le="0.0001",account="a\\"\\\\\\n"} 0',
    'millrace_acknowledgement_seconds_bucket{le="50",account="a\\"\\\\\\n"} 1',
    'millrace_acknowledgement_seconds_bucket{le="+Inf",account="a\\"\\\\\\n"} 1',
    'millrace_acknowledgement_seconds_sum{account="a\\"\\\\\\n"} 30',
    'millrace_acknowledgement_seconds_count{account="a\\"\\\\\\n"} 1',
  ]);
  expect(text.endsWith('\n')).toBe(true);
});

test('what happens is counted', async () => {
  const metrics = made();
  metrics.sent('main', 'place');
  metrics.sent('main', 'place');
  metrics.sent('main', 'cancel');
  metrics.rejected('main', 'risk', 'risk-notional');
  metrics.filled('main');
  metrics.reconnected('main', 'market');
  metrics.found('main', 'missing-fill');
  metrics.marginEvent('main', '', 'liquidated');
  const found = await samples(metrics);
  expect([...found].filter(([name]) => name.includes('_total{account="main"'))).toEqual([
    ['millrace_requests_sent_total{account="main",kind="place"}', '2'],
    ['millrace_requests_sent_total{account="main",kind="cancel"}', '1'],
    ['millrace_requests_rejected_total{account="main",by="risk",code="risk-notional"}', '1'],
    ['millrace_fills_total{account="main"}', '1'],
    ['millrace_reconnects_total{account="main",what="market"}', '1'],
    ['millrace_discrepancies_total{account="main",kind="missing-fill"}', '1'],
    ['millrace_margin_events_total{account="main",strategy="",kind="liquidated"}', '1'],
  ]);
});

test('the metrics show the bot as it is now, and drop what no longer exists', async () => {
  const [metrics, bot] = [made(), new SmallBot()];
  const before = await samples(metrics, bot);
  expect(
    Object.fromEntries([...before].filter(([name]) => /^millrace_(?!.*_seconds_)/.test(name))),
  ).toMatchObject({
    'millrace_info{bot="small",mode="live",version="1.2.3"}': '1',
    millrace_ready: '1',
    'millrace_state{state="running"}': '1',
    'millrace_state{state="halted"}': '0',
    'millrace_strategy_state{strategy="one",state="running"}': '1',
    'millrace_orders_open{strategy="one",account="main"}': '2',
    'millrace_orders_unknown{strategy="two",account="main"}': '1',
    'millrace_day_result{strategy="one",currency="USDT"}': '-12.5',
    'millrace_position_quantity{strategy="one",symbol="BTCUSDT"}': '0.3',
    'millrace_position_value{strategy="one",symbol="BTCUSDT"}': '18600.003',
    'millrace_account_state{account="main",state="running"}': '1',
    'millrace_account_live{account="main"}': '1',
    'millrace_account_reconciled_timestamp_seconds{account="main"}': '1795255200',
    'millrace_market_live{account="main",symbol="ETHUSDT"}': '0',
    'millrace_market_last_timestamp_seconds{account="main",symbol="BTCUSDT"}': '1795255200',
    'millrace_balance{account="main",currency="USDT",part="reserved"}': '1000',
  });
  expect(before.has('millrace_position_value{strategy="two",symbol="ETHUSDT"}')).toBe(false);
  await bot.operate('flatten', 'one');
  bot.ready = false;
  const after = await samples(metrics, bot);
  expect(after.get('millrace_ready')).toBe('0');
  expect(after.get('millrace_account_live{account="main"}')).toBe('0');
  expect(after.get('millrace_strategy_state{strategy="one",state="halted"}')).toBe('1');
  expect(after.get('millrace_strategy_state{strategy="one",state="running"}')).toBe('0');
  expect(after.get('millrace_orders_open{strategy="one",account="main"}')).toBe('0');
  expect(after.has('millrace_position_value{strategy="one",symbol="BTCUSDT"}')).toBe(false);
});

test('balances of wallet and derivatives have metrics by account, apart from spot', async () => {
  const [metrics, bot] = [made(), new SmallBot()];
  const amounts = { currency: 'USDT', available: '7', reserved: '1' } as const;
  bot.others = [
    { account: 'main', accountType: 'wallet', ...amounts },
    { account: 'main', accountType: 'derivatives', ...amounts, reservedMargin: '400.5' },
  ];
  const reported = [...(await samples(metrics, bot))].filter(([name]) => name.includes('_balance'));
  const name = (accountType: string, part: string) =>
    `millrace_other_balance{account="main",account_type="${accountType}",currency="USDT",part="${part}"}`;
  expect(Object.fromEntries(reported.filter(([one]) => one.includes('other')))).toEqual({
    [name('wallet', 'available')]: '7',
    [name('wallet', 'reserved')]: '1',
    [name('derivatives', 'available')]: '7',
    [name('derivatives', 'reserved')]: '1',
    [name('derivatives', 'reserved_margin')]: '400.5',
  });
});

test('margin has metrics by account, apart from spot, and unknown values have none', async () => {
  const [metrics, bot] = [made(), new SmallBot()];
  bot.margin = MARGIN_ACCOUNTS;
  bot.marginPositions = MARGIN_POSITIONS;
  const found = await samples(metrics, bot);
  const own =
    'account="main",strategy="one",margin="isolated",market="spot",symbol="BTCUSDT",currency="USDT"';
  const foreign =
    'account="main",strategy="",margin="cross",market="futures",symbol="",currency="USDT"';
  const short = 'account="main",strategy="one",margin="isolated",symbol="BTCUSDT"';
  const long = 'account="main",strategy="",margin="cross",symbol="BTCUSDT_PERP"';
  expect(Object.fromEntries([...found].filter(([name]) => name.includes('_margin_')))).toEqual({
    [`millrace_margin_balance{${own},part="balance"}`]: '500',
    [`millrace_margin_balance{${own},part="available"}`]: '409.61',
    [`millrace_margin_balance{${own},part="reserved"}`]: '90.39',
    [`millrace_margin_balance{${foreign},part="balance"}`]: '20',
    [`millrace_margin_balance{${foreign},part="available"}`]: '8',
    [`millrace_margin_balance{${foreign},part="reserved"}`]: '12',
    [`millrace_margin_equity{${own}}`]: '470',
    [`millrace_margin_effective_leverage{${own}}`]: '0.7021',
    [`millrace_margin_called{${own}}`]: '0',
    [`millrace_margin_called{${foreign}}`]: '1',
    [`millrace_margin_position_quantity{${short}}`]: '-3',
    [`millrace_margin_position_quantity{${long}}`]: '2',
    [`millrace_margin_position_value{${short}}`]: '330',
    [`millrace_margin_position_unrealized_pnl{${short}}`]: '-30',
    [`millrace_margin_liquidation_distance{${short}}`]: String(10 / 110),
  });
  expect(found.get('millrace_position_quantity{strategy="one",symbol="BTCUSDT"}')).toBe('0.3');
  bot.margin = [];
  bot.marginPositions = [];
  const after = await samples(metrics, bot);
  expect([...after.keys()].filter((name) => name.includes('_margin_'))).toEqual([]);
});

test('the process is measured too: event loop and memory', async () => {
  const found = await samples(made());
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'nodejs_heap_size_used_bytes',
  ]) {
    expect(Number(found.get(name))).toBeGreaterThan(0);
  }
  // Its timer would wake the process ten times a second.
  expect([...found.keys()].filter((name) => name.includes('utilization'))).toEqual([]);
});
