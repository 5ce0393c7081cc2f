import { describe, expect, test } from 'vitest';
import { openHarness } from '../../../server/wallet/harness.ts';
import { openSubscriptions } from '../kit/accounts.ts';
import { d } from '../kit/values.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const FEE = '/api/3/wallet/crypto/fee';
const FEES = '/api/3/wallet/crypto/fees/estimate';

const BTC = { currency: 'BTC', amount: '2' };
const TRON = { currency: 'USDT', amount: '5', network_code: 'TRX' };
const LABEL = { label_id: 'my label/1' };
const LABELLED = `${FEE}/deposit/label/my%20label%2F1/estimate`;

const open = async () => openSubscriptions((await openHarness()).venue, 'ann');

const row = (fee: string, amount: string, currency: string) => ({
  fee: d(fee),
  networkFee: d(fee),
  amount: d(amount),
  currency,
});
const ROWS = [row('0.0005', '2', 'BTC'), row('1', '5', 'USDT')];
const NOTHING = [row('0', '2', 'BTC'), row('0', '5', 'USDT')];

type Rest = Awaited<ReturnType<typeof open>>['rest'];

describe('what something costs', () => {
  eachRow<
    [
      row: string,
      what: string,
      ask: (rest: Rest) => Promise<unknown>,
      sent: unknown[],
      read: unknown,
    ]
  >('', [
    [
      'client:trading-v3.wallet.get-fee-estimate',
      'a withdrawal',
      (rest) => rest.estimateFee(BTC),
      [`GET ${FEE}/estimate?currency=BTC&amount=2`],
      { fee: d('0.0005') },
    ],
    [
      'client:trading-v3.wallet.get-fee-estimate',
      'a withdrawal by a network',
      (rest) => rest.estimateFee(TRON),
      [`GET ${FEE}/estimate?currency=USDT&amount=5&network_code=TRX`],
      { fee: d('1') },
    ],
    [
      'client:trading-v3.wallet.post-fee-estimate-bulk',
      'several withdrawals',
      (rest) => rest.estimateFeesInBulk([BTC, TRON]),
      [`POST ${FEE}/estimate/bulk`, [BTC, TRON]],
      ROWS,
    ],
    [
      'client:trading-v3.wallet.post-fees-estimate',
      'several withdrawals',
      (rest) => rest.estimateFees([BTC, TRON]),
      [`POST ${FEES}`, [BTC, TRON]],
      ROWS,
    ],
    [
      'client:trading-v3.wallet.get-fees-estimate',
      'a withdrawal, as a list of one',
      (rest) => rest.estimateFeesByQuery(TRON),
      [`GET ${FEES}?currency=USDT&amount=5&network_code=TRX`],
      [ROWS[1]],
    ],
    [
      'client:trading-v3.wallet.get-fee-levels',
      'a withdrawal at each level',
      (rest) => rest.getFeeLevels({ currency: 'BTC' }),
      [`GET ${FEE}/levels?currency=BTC`],
      [
        { fee_level_id: 'usual', name: 'usual', fee: d('0.0005'), currency: 'BTC' },
        { fee_level_id: 'fast', name: 'fast', fee: d('0.002'), currency: 'BTC' },
      ],
    ],
    [
      'client:trading-v3.wallet.get-fee-deposit-estimate',
      'a deposit',
      (rest) => rest.estimateDepositFee(TRON),
      [`GET ${FEE}/deposit/estimate?currency=USDT&amount=5&network_code=TRX`],
      { fee: d('0') },
    ],
    [
      'client:trading-v3.wallet.post-fee-deposit-estimate-bulk',
      'several deposits',
      (rest) => rest.estimateDepositFees([BTC, TRON]),
      [`POST ${FEE}/deposit/estimate/bulk`, [BTC, TRON]],
      NOTHING,
    ],
    [
      'client:trading-v3.wallet.get-fee-deposit-label-estimate',
      'a deposit under a label',
      (rest) => rest.estimateLabelledDepositFee({ ...LABEL, ...BTC }),
      [`GET ${LABELLED}?currency=BTC&amount=2`],
      { fee: d('0') },
    ],
    [
      'client:trading-v3.wallet.post-fee-deposit-label-estimate-bulk',
      'several deposits under a label',
      (rest) => rest.estimateLabelledDepositFees({ ...LABEL, params: [BTC, TRON] }),
      [`POST ${LABELLED}/bulk`, [BTC, TRON]],
      NOTHING,
    ],
  ])('%s', async (_, ask, sent, read) => {
    const { rest, relay } = await open();
    expect(await ask(rest)).toEqual(read);
    expect(relay.sent).toEqual(sent);
  });

  test(
    'is read without the network’s part where there is none, to its last digit',
    { tags: ['client:trading-v3.wallet.post-fee-estimate-bulk'] },
    async () => {
      const { rest, relay } = await open();
      relay.answer(
        '[{"fee":"0.000500000000000000001","networkFee":null,"amount":2.0,"currency":"BTC"}]',
      );
      expect(await rest.estimateFeesInBulk([BTC])).toEqual([
        { fee: d('0.000500000000000000001'), amount: d('2'), currency: 'BTC' },
      ]);
    },
  );

  eachRow<
    [row: string, what: string, ask: (rest: Rest) => Promise<{ hash: string }>, path: string]
  >('', [
    [
      'client:trading-v3.wallet.get-fee-withdraw-hash',
      'withdrawals',
      (rest) => rest.getWithdrawFeeHash(),
      'withdraw',
    ],
    [
      'client:trading-v3.wallet.get-fee-deposit-hash',
      'deposits',
      (rest) => rest.getDepositFeeHash(),
      'deposit',
    ],
  ])('has a hash: %s', async (_, ask, path) => {
    const branch = await openHarness();
    const { rest, relay } = await openSubscriptions(branch.venue, 'ann');
    const url = `${FEE}/${path}/hash`;
    const known = await branch.ok('ann', 'GET', url);
    expect(await ask(rest)).toEqual(known);
    expect(known).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(relay.sent).toEqual([`GET ${url}`]);
  });
});
