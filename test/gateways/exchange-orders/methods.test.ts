import { describe, expect, test } from 'vitest';
import { at, d } from '../trading/kit/values.ts';
import { asDecimals, openScripted, result } from './scripted.ts';
import { eachRow } from '../../conformance/each-row.ts';

const CREATED_AT = 1_768_000_000_000_001;

/** What createTransaction answers, and no member more. */
const FLOAT = {
  id: 'f1',
  type: 'float',
  payinAddress: 'bc1payin',
  payinExtraId: null,
  payoutAddress: '0xA',
  payoutExtraId: null,
  refundAddress: 'bc1refund',
  refundExtraId: null,
  amountExpectedFrom: '1.5',
  amountExpectedTo: '30.25',
  status: 'new',
  currencyTo: 'eth',
  currencyFrom: 'btc',
  createdAt: CREATED_AT,
  networkFee: '0.003',
};

/** What createFixTransaction answers: members without a value are left out. */
const FIXED = {
  id: 'x1',
  type: 'fixed',
  status: 'new',
  payTill: '2026-01-05T10:20:00.000+00:00',
  createdAt: CREATED_AT,
  currencyFrom: 'btc',
  currencyTo: 'eth',
  payinAddress: 'bc1payin',
  payoutAddress: '0xA',
  refundAddress: 'bc1refund',
  amountExpectedFrom: '1.5',
  amountExpectedTo: '30.25',
  networkFee: '0.003',
};

/** A transaction that waits for its payment. */
const WAITING = {
  ...FLOAT,
  status: 'waiting',
  moneyReceived: 0,
  rate: '20.166',
  payinConfirmations: '0',
  changellyFee: '0.5',
  apiExtraFee: '0.1',
  totalFee: '0.18',
  amountFrom: '',
  amountTo: '',
  canPush: false,
  canRefund: false,
};

const FINISHED = {
  ...WAITING,
  status: 'finished',
  moneyReceived: CREATED_AT + 10,
  moneySent: CREATED_AT + 20,
  payinConfirmations: '2',
  payinHash: 'hash-in',
  payoutHash: 'hash-out',
  payoutHashLink: 'https://example.com/hash-out',
  payoutExtraId: '99',
  refundExtraId: '98',
  amountFrom: '1.5',
  amountTo: '30.247',
};

const PAIR = { from: 'btc', to: 'eth' } as const;
const RATE_ID = '&a$b%c@d#e^f*g(h~';

describe('creating', () => {
  const managedOrder = { ...PAIR, amountFrom: '1.5', address: '0xA' };

  test(
    'a float transaction gives where and what to pay, typed float and new',
    {
      tags: [
        'client:exchange-orders.method.create-transaction',
        'client:exchange-orders.method.create-transaction-result',
        'client:exchange-orders.method.create-transaction-float',
        'client:exchange-orders.method.create-transaction-new',
      ],
    },
    async () => {
      const { client, asked } = await openScripted([result(FLOAT)]);
      const created = await client.createTransaction(managedOrder);
      expect(asked()).toMatchObject({ method: 'createTransaction', params: managedOrder });
      expect(created).toEqual({
        id: 'f1',
        type: 'float',
        status: 'new',
        createdAt: CREATED_AT,
        currencyFrom: 'btc',
        currencyTo: 'eth',
        payin: { address: 'bc1payin', extraId: undefined, extraIdName: undefined },
        payoutAddress: '0xA',
        payoutExtraId: undefined,
        refundAddress: 'bc1refund',
        refundExtraId: undefined,
        amountExpectedFrom: d('1.5'),
        amountExpectedTo: d('30.25'),
        networkFee: d('0.003'),
      });
    },
  );

  test(
    'sends what else there is to say',
    { tags: ['client:exchange-orders.method.create-transaction-optional'] },
    async () => {
      const { client, asked } = await openScripted([result(FLOAT)]);
      const more = {
        extraId: '1',
        refundAddress: 'bc1refund',
        refundExtraId: '2',
        fromAddress: 'bc1from',
        fromExtraId: '3',
        userMetadata: '{"move":"plan-1"}',
      };
      await client.createTransaction({ ...managedOrder, ...more });
      expect(asked().params).toEqual({ ...managedOrder, ...more });
    },
  );

  test(
    'new is a status of what was just created alone',
    { tags: ['client:exchange-orders.state.new'] },
    async () => {
      const { client } = await openScripted([result(FLOAT), result('waiting')]);
      const { status, id } = await client.createTransaction(managedOrder);
      expect([status, await client.getStatus({ id })]).toEqual(['new', 'waiting']);
    },
  );

  test.each([{ amountFrom: '1.5' }, { amountTo: '30.25' }])(
    'a fixed transaction takes a rate id and one amount, %j, and says until when to pay',
    {
      tags: [
        'client:exchange-orders.method.create-fix-transaction',
        'client:exchange-orders.method.create-fix-transaction-result',
      ],
    },
    async (amount) => {
      const { client, asked } = await openScripted([result(FIXED)]);
      const fixed = { ...PAIR, rateId: RATE_ID, address: '0xA', refundAddress: 'bc1refund' };
      const created = await client.createFixTransaction({ ...fixed, ...amount });
      expect(asked()).toMatchObject({
        method: 'createFixTransaction',
        params: { ...fixed, ...amount },
      });
      expect(created).toMatchObject({ type: 'fixed', status: 'new', payTill: FIXED.payTill });
      expect(created.refundExtraId).toBeUndefined();
    },
  );

  test(
    'a private send gives where and what to pay',
    { tags: ['client:exchange-orders.method.create-private-send-transaction'] },
    async () => {
      const sent = {
        id: 'p1',
        createdAt: CREATED_AT,
        status: 'new',
        currency: 'xrp',
        amount: '10',
        amountFrom: '10.2',
        payinAddress: 'rPayin',
        payinExtraId: '77',
        payoutAddress: 'rOut',
        payoutExtraId: '5',
        serviceFee: '0.1',
        extraFee: '0.1',
      };
      const { client, asked } = await openScripted([result(sent)]);
      const managed = { currency: 'xrp', amount: '10', address: 'rOut', addressExtraId: '5' };
      const created = await client.createPrivateSendTransaction(managed);
      expect(asked()).toMatchObject({ method: 'createPrivateSendTransaction', params: managed });
      expect(created).toMatchObject({
        payin: { address: 'rPayin', extraId: '77' },
        amount: d('10'),
        amountFrom: d('10.2'),
        serviceFee: d('0.1'),
      });
    },
  );
});

describe('transactions', () => {
  const FILTERS = [
    ['method.get-transactions-id', { id: 'f1' }],
    ['method.get-transactions-id', { id: ['f1', 'x1'] }],
    ['method.get-transactions-status', { status: 'waiting' }],
    ['method.get-transactions-status', { status: ['waiting', 'hold'] }],
    ['method.get-transactions-currency', { currency: ['btc', 'eth'] }],
    ['method.get-transactions-address', { address: ['bc1payin', 'other'] }],
    ['method.get-transactions-payout-address', { payoutAddress: '0xA' }],
    ['method.get-transactions-extra-id', { extraId: '99' }],
    ['method.get-transactions-since', { since: CREATED_AT }],
    ['method.get-transactions-before', { before: CREATED_AT + 1 }],
    ['method.get-transactions-paging', { limit: 100, offset: 200 }],
  ] as const;

  eachRow('client:exchange-orders.', FILTERS)('are asked for by %j', async (filter) => {
    const { client, asked } = await openScripted([result([WAITING])]);
    const given = filter as Parameters<typeof client.getTransactions>[0];
    expect(await client.getTransactions(given)).toHaveLength(1);
    expect(asked()).toMatchObject({ method: 'getTransactions', params: filter });
    expect(Object.keys(asked().params as object)).toEqual(Object.keys(filter));
  });

  test(
    'come as a list, with all that is known of each',
    {
      tags: [
        'client:exchange-orders.method.get-transactions',
        'client:exchange-orders.method.transaction-record',
      ],
    },
    async () => {
      const { client } = await openScripted([result([WAITING, FINISHED])]);
      const [waiting, finished] = await client.getTransactions();
      expect(waiting).toMatchObject({
        id: 'f1',
        type: 'float',
        createdAt: CREATED_AT,
        moneyReceived: 0,
        rate: d('20.166'),
        payinConfirmations: '0',
        status: 'waiting',
        currencyFrom: 'btc',
        currencyTo: 'eth',
        payin: { address: 'bc1payin' },
        payoutAddress: '0xA',
        amountExpectedFrom: d('1.5'),
        amountExpectedTo: d('30.25'),
        networkFee: d('0.003'),
        changellyFee: d('0.5'),
        apiExtraFee: d('0.1'),
        totalFee: d('0.18'),
        canPush: false,
        canRefund: false,
      });
      expect(finished).toMatchObject({ amountFrom: d('1.5'), amountTo: d('30.247') });
    },
  );

  test(
    'have hashes and ids once they are known',
    { tags: ['client:exchange-orders.method.transaction-record-hashes'] },
    async () => {
      const { client } = await openScripted([result([WAITING]), result([FINISHED])]);
      const [waiting] = await client.getTransactions();
      expect([waiting?.payinHash, waiting?.payoutHash, waiting?.amountTo]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect((await client.getTransactions())[0]).toMatchObject({
        payinHash: 'hash-in',
        payoutHash: 'hash-out',
        payoutHashLink: 'https://example.com/hash-out',
        payoutExtraId: '99',
        refundAddress: 'bc1refund',
        refundExtraId: '98',
      });
    },
  );

  test(
    'have no time of the payout before it',
    { tags: ['client:exchange-orders.method.transaction-money-sent'] },
    async () => {
      const { client } = await openScripted([result([WAITING, FINISHED])]);
      expect((await client.getTransactions()).map(({ moneySent }) => moneySent)).toEqual([
        undefined,
        CREATED_AT + 20,
      ]);
    },
  );

  test(
    'name the ids beside addresses where there are any',
    { tags: ['client:exchange-orders.method.transaction-extra-id-names'] },
    async () => {
      const names = { payinExtraIdName: 'Memo', payoutExtraIdName: 'Destination Tag' };
      const { client } = await openScripted([
        result([WAITING, { ...WAITING, payinExtraId: '1', ...names }]),
      ]);
      const [without, named] = await client.getTransactions();
      expect([without?.payin.extraIdName, without?.payoutExtraIdName]).toEqual([
        undefined,
        undefined,
      ]);
      expect([named?.payin.extraIdName, named?.payoutExtraIdName]).toEqual([
        'Memo',
        'Destination Tag',
      ]);
    },
  );

  test(
    'have a refund where there was one',
    { tags: ['client:exchange-orders.method.transaction-refund-omitted'] },
    async () => {
      const refund = {
        status: 'refunded',
        refundHash: 'back',
        refundHashLink: 'https://e.com/back',
      };
      const { client } = await openScripted([result([WAITING, { ...WAITING, ...refund }])]);
      const [, refunded] = await client.getTransactions();
      expect(refunded).toMatchObject(refund);
    },
  );

  test(
    'have a deadline where the rate is fixed',
    { tags: ['client:exchange-orders.method.transaction-pay-till'] },
    async () => {
      const { client } = await openScripted([
        result([WAITING, { ...WAITING, type: 'fixed', payTill: FIXED.payTill }]),
      ]);
      expect((await client.getTransactions()).map(({ payTill }) => payTill)).toEqual([
        undefined,
        FIXED.payTill,
      ]);
      expect(at(FIXED.payTill)).toBe(at('2026-01-05T10:20:00Z'));
    },
  );

  test(
    'pay out what is expected less the fee of the network',
    { tags: ['client:exchange-orders.conv.payout-formula'] },
    async () => {
      const { client } = await openScripted([result([FINISHED])]);
      const [finished] = await client.getTransactions();
      expect(finished?.amountTo).toEqual(finished?.amountExpectedTo.minus(finished.networkFee));
    },
  );
});

describe('private sends', () => {
  const SEND = {
    id: 'p1',
    createdAt: CREATED_AT,
    payinConfirmations: '1',
    status: 'confirming',
    currency: 'btc',
    amount: '1',
    amountFrom: '1.01',
    payinAddress: 'bc1in',
    payinExtraId: '',
    payinHash: 'in',
    payoutHash: '',
    payoutAddress: 'bc1out',
    payoutExtraId: '',
    serviceFee: '0.005',
    extraFee: '0.001',
    moneyReceived: CREATED_AT + 5,
  };

  test(
    'come as a list, with all that is known of each',
    {
      tags: [
        'client:exchange-orders.method.get-private-send-transactions',
        'client:exchange-orders.method.private-send-record',
      ],
    },
    async () => {
      const { client, asked } = await openScripted([result([SEND])]);
      const [send] = await client.getPrivateSendTransactions();
      expect(asked().method).toBe('getPrivateSendTransactions');
      expect(send).toMatchObject({
        id: 'p1',
        createdAt: CREATED_AT,
        payinConfirmations: '1',
        status: 'confirming',
        currency: 'btc',
        amount: d('1'),
        amountFrom: d('1.01'),
        payin: { address: 'bc1in', extraId: undefined },
        payinHash: 'in',
        payoutAddress: 'bc1out',
        serviceFee: d('0.005'),
        extraFee: d('0.001'),
        moneyReceived: CREATED_AT + 5,
      });
    },
  );

  eachRow('client:exchange-orders.', [
    ['method.private-send-filters', { id: 'p1', status: 'waiting', currency: 'btc' }],
    [
      'method.private-send-filters',
      { payinAddress: 'bc1in', payoutAddress: 'bc1out', payoutExtraId: '5' },
    ],
    ['method.private-send-since-before', { since: CREATED_AT, before: CREATED_AT + 1 }],
    ['method.private-send-paging', { limit: 100, offset: 7 }],
  ])('are asked for by %j', async (filter) => {
    const { client, asked } = await openScripted([result([])]);
    expect(await client.getPrivateSendTransactions(filter)).toEqual([]);
    expect(asked().params).toEqual(filter);
  });

  test(
    'are estimated',
    { tags: ['client:exchange-orders.method.estimate-private-send'] },
    async () => {
      const estimate = {
        currency: 'btc',
        amount: '1',
        amountFrom: '1.01',
        serviceFee: '0.005',
        extraFee: '0.005',
        min: '0.1',
        max: '3',
      };
      const { client, asked } = await openScripted([result(estimate)]);
      const { currency, ...amounts } = estimate;
      expect(await client.estimatePrivateSend({ currency, amount: '1' })).toEqual({
        currency,
        ...asDecimals(amounts),
      });
      expect(asked()).toMatchObject({
        method: 'estimatePrivateSend',
        params: { currency: 'btc', amount: '1' },
      });
    },
  );
});
