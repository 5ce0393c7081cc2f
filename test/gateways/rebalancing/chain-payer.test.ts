import { describe, expect, onTestFinished, test } from 'vitest';
import { SimulatedNode } from '../../../src/gateways/chains/simulated-node.ts';
import { ChainPayer } from '../../../src/gateways/rebalancing/payments/chain-payer.ts';
import type { Payment, PaymentChange } from '../../../src/gateways/rebalancing/payments/payment.ts';
import { micros } from '../../../src/platform/time.ts';
import { mountChains } from '../../../src/server/chains/mount.ts';
import type { TransferData } from '../../../src/swaps/execution/transfer-route.ts';
import { openVenue } from '../../server/kit.ts';
import { granted, isConserved, STARTED, USDC_ETHEREUM, world } from '../../swaps/chains/harness.ts';
import { d } from '../trading/kit/values.ts';
import { chainSigner } from './kit/chain-signer.ts';
import { openLossyRelay } from './kit/lossy-relay.ts';

/** A wallet of anna with 100 USDC, its node over HTTP, and a payment of 30 to bert. */
async function open(amount = '30') {
  const { chains, scheduler } = world();
  const anna = chains.addressOf('ethereum', 'anna');
  const bert = chains.addressOf('ethereum', 'bert');
  granted(chains.mint(USDC_ETHEREUM, anna, 100_000_000n));
  const { base } = await openVenue({
    setup: {
      services: [
        (app) => {
          mountChains(app, chains);
        },
      ],
    },
  });
  const relay = await openLossyRelay(base);
  const node = new SimulatedNode({ url: relay.url, scheduler, retries: { attempts: 1 } });
  onTestFinished(() => node.close());
  const network = chains.networks.find(({ code }) => code === 'ethereum');
  const token = chains.tokens.find(({ id }) => id === USDC_ETHEREUM);
  if (network === undefined || token === undefined) throw new Error('there are both');
  const wallet = { network, token, signer: chainSigner(chains, 'ethereum', 'anna') };
  const payer = new ChainPayer(node, wallet);
  const payment: Payment = {
    id: 'plan-1/1',
    to: { address: bert },
    amount: d(amount),
    most: d(amount),
    since: STARTED,
  };
  const held = (): readonly bigint[] =>
    [anna, bert].map((address) => chains.balance(USDC_ETHEREUM, address));
  const next = (data: TransferData) => {
    const step = payer.next(payment, data);
    if (step === undefined) throw new Error('there is a step');
    return step;
  };
  /** Prepares the payment; gives what is kept of that, and the step that sends it. */
  const prepared = async () => {
    const { stage, data = {} } = await payer.perform(payment, {}, next({}));
    expect(stage).toBe('begun');
    return { kept: data, step: next(data) };
  };
  return { prepared, chains, scheduler, relay, node, wallet, payer, payment, held, next };
}

describe('a payment out of a wallet', () => {
  test('arrives whole, rounded down to the smallest unit', async () => {
    const { payer } = await open();
    expect(await payer.terms(d('1.2345678'))).toMatchObject({
      arrives: d('1.234567'),
      leaves: d('1.234567'),
      durationUs: 36_000_000,
    });
    expect(await payer.terms(d('0.0000001'))).toMatchObject({ code: 'amount-invalid' });
  });

  test('has a hash before it is sent, and counts as there when its network says so', async () => {
    const { scheduler, payer, payment, held, next, prepared } = await open();
    expect(next({})).toMatchObject({ name: 'prepare', pays: false });
    expect(await payer.recall(payment, {}, next({}))).toBe('undone');
    const { kept, step } = await prepared();
    expect(held()).toEqual([100_000_000n, 0n]);
    expect(step).toMatchObject({ name: 'payIn', pays: true });
    expect(await payer.recall(payment, kept, step)).toBe('undone');
    const { stage, data: learned = {} } = await payer.perform(payment, kept, step);
    expect([stage, learned]).toEqual(['sent', { payHash: step.data['hash'], paySent: 1 }]);
    expect(held()).toEqual([70_000_000n, 30_000_000n]);
    const data = { ...kept, ...learned };
    expect(payer.next(payment, data)).toBeUndefined();
    expect(await payer.observe(payment, data)).toMatchObject({ stage: 'sent' });
    scheduler.advanceTo(micros(STARTED + 40_000_000));
    expect(await payer.observe(payment, data)).toMatchObject({ stage: 'arrived' });
  });

  test('whose answer is lost is found by its hash', async () => {
    const { relay, payer, payment, held, prepared } = await open();
    const { kept, step } = await prepared();
    relay.lose('answer', 'POST');
    await expect(payer.perform(payment, kept, step)).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
    expect(await payer.recall(payment, kept, step)).toMatchObject({
      stage: 'sent',
      data: { payHash: step.data['hash'] },
    });
    expect(held()).toEqual([70_000_000n, 30_000_000n]);
  });

  test('that never arrived is made by sending it again, and sent a third time pays nothing more', async () => {
    const { chains, relay, payer, payment, held, next, prepared } = await open();
    const { kept, step } = await prepared();
    relay.lose('request', 'POST');
    await expect(payer.perform(payment, kept, step)).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
    expect(await payer.recall(payment, kept, step)).toBe('undone');
    expect(next(kept)).toEqual(step);
    await payer.perform(payment, kept, step);
    await payer.perform(payment, kept, step);
    expect(held()).toEqual([70_000_000n, 30_000_000n]);
    expect(isConserved(chains)).toBe(true);
  });

  test('of more than there is is refused, and nothing moves', async () => {
    const { payer, payment, held, prepared } = await open('101');
    const { kept, step } = await prepared();
    expect(await payer.perform(payment, kept, step)).toMatchObject({ stage: 'refused' });
    expect(held()).toEqual([100_000_000n, 0n]);
  });

  test('that an older version has begun is looked for, and never paid again', async () => {
    const { payer, payment, held, node, prepared } = await open();
    const { step } = await prepared();
    const hash = String(step.data['hash']);
    const old = { name: 'payIn', data: { network: 'ethereum', hash }, pays: true };
    const { stage, data = {}, reason } = Object(await payer.recall(payment, {}, old)) as PaymentChange; // prettier-ignore
    expect([stage, data]).toEqual(['sent', { payHash: hash }]);
    expect(reason).toContain('not paid again');
    expect(payer.next(payment, data)).toBeUndefined();
    expect(await payer.observe(payment, data)).toMatchObject({ stage: 'sent', reason });
    expect(held()).toEqual([100_000_000n, 0n]);
    await node.send('ethereum', String(step.data['raw']));
    expect(await payer.recall(payment, {}, old)).toEqual({
      stage: 'sent',
      data: { payHash: hash },
    });
    expect(held()).toEqual([70_000_000n, 30_000_000n]);
  });

  test('that is finer than its token is a fault, and none is planned', async () => {
    const { next } = await open('0.0000001');
    expect(() => next({})).toThrow('finer');
  });
});

test('a signer that signs no transfers is none for payments', async () => {
  const { node, wallet } = await open();
  const { family, address } = wallet.signer;
  expect(() => new ChainPayer(node, { ...wallet, signer: { family, address } })).toThrow(
    'signs no transfers',
  );
});
