import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import type { SignedApproval } from '../../../src/swaps/approvals/approval.ts';
import type { Intent } from '../../../src/swaps/intents/intent.ts';
import {
  BTC,
  SOL,
  swapParts,
  USDC_ETHEREUM,
  USDC_SOLANA,
  USDC_TRON,
  WETH,
} from '../../server/swaps/kit.ts';
import { signedBody, userOf } from '../../server/swaps/users.ts';
import { isConserved } from '../chains/harness.ts';
import { runs } from '../../kit/size.ts';

type Parts = ReturnType<typeof swapParts>;

/** The moves that docs/protocol-choices.md lists. */
const DOCUMENTED = new Set([
  'new created',
  'created approved',
  'created expired',
  'approved verified',
  'approved failed',
  'approved expired',
  'verified deposited',
  'verified failed',
  'verified expired',
  'deposited finished',
  'deposited refundRequested',
  'refundRequested refunded',
]);

const PARTNER = 'partner';
const TOKENS = [USDC_ETHEREUM, USDC_TRON, USDC_SOLANA, WETH, BTC, SOL] as const;
const token = fc.constantFrom(...TOKENS);
const which = fc.nat({ max: 2 });
const isSound = fc.nat({ max: 5 }).map((number) => number > 0);

const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      from: token,
      to: token,
      value: fc.integer({ min: 1, max: 400_000 }),
      isQuoted: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('approve' as const), which, isSound }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      seconds: fc.constantFrom(1, 3, 3, 9, 9, 30, 1_900),
    }),
  },
  fc.record({
    kind: fc.constantFrom(
      'advance' as const,
      'decline' as const,
      'refund' as const,
      'hold' as const,
      'release' as const,
    ),
    which,
  }),
  fc.record({
    kind: fc.constantFrom('revoke' as const, 'drain' as const, 'spend' as const),
    token,
  }),
  fc.record({ kind: fc.constant('price' as const), percent: fc.integer({ min: 98, max: 102 }) }),
);

type Operation = typeof operation extends fc.Arbitrary<infer Each> ? Each : never;

/** Somebody who asks for all of that, and signs. */
class Crowd {
  readonly parts: Parts;
  /** What each of the service's own addresses held when it opened, by token. */
  readonly #given = new Map<number, bigint>();

  constructor(parts: Parts) {
    this.parts = parts;
    for (const id of TOKENS) this.#given.set(id, this.#held(id, 'resolver'));
  }

  async act(operation: Operation): Promise<void> {
    const { service, scheduler, chains, value } = this.parts;
    switch (operation.kind) {
      case 'create':
        this.#create(operation);
        return;
      case 'approve':
        return this.#approve(this.#intent(operation.which), operation.isSound);
      case 'pass':
        scheduler.advanceTo(micros(scheduler.now() + operation.seconds * US_PER_SECOND));
        return;
      case 'price':
        value['ETH'] = String(30 * operation.percent);
        return;
      case 'revoke':
        chains.revoke(operation.token, this.#address(operation.token, 'user'));
        return;
      case 'drain':
        this.#given.set(
          operation.token,
          (this.#given.get(operation.token) ?? 0n) - this.#away(operation.token, 'resolver'),
        );
        return;
      case 'spend':
        this.#away(operation.token, 'user');
        return;
      default: {
        const id = this.#intent(operation.which)?.id ?? '';
        if (operation.kind === 'advance') service.manualActions.advance(id);
        if (operation.kind === 'decline') service.manualActions.decline(id, 'by hand');
        if (operation.kind === 'refund') service.manualActions.requestRefund(id, 'by hand');
        if (operation.kind === 'hold') service.manualActions.hold(id, true);
        if (operation.kind === 'release') service.manualActions.hold(id, false);
      }
    }
  }

  /** What all intents together make of the holdings, put together from their states alone. */
  check(): void {
    const intents = this.parts.service.intents();
    const sum = (lots: readonly bigint[]): bigint => lots.reduce((all, one) => all + one, 0n);
    for (const id of TOKENS) {
      const gave = (states: readonly string[]): bigint =>
        sum(
          intents
            .filter(({ state, quote }) => states.includes(state) && quote.from.id === id)
            .map(({ quote }) => quote.fromLots),
        );
      const paid = sum(
        intents
          .filter(({ state, quote }) => state === 'finished' && quote.to.id === id)
          .map(({ payoutLots = 0n }) => payoutLots),
      );
      expect(this.#held(id, 'escrow')).toBe(gave(['deposited', 'refundRequested']));
      expect(this.#held(id, 'refund')).toBe(gave(['refunded']));
      expect(this.#held(id, 'receiver')).toBe(paid);
      expect(this.#held(id, 'resolver')).toBe(
        (this.#given.get(id) ?? 0n) + gave(['finished']) - paid,
      );
    }
    for (const { state, payoutLots = 0n, quote } of intents) {
      if (state !== 'finished') continue;
      expect(payoutLots >= quote.outcome.leastLots && payoutLots <= quote.outcome.mostLots).toBe(
        true,
      );
    }
    expect(isConserved(this.parts.chains)).toBe(true);
  }

  #create({ from, to, value, isQuoted }: Extract<Operation, { kind: 'create' }>): void {
    const { service, chains, value: prices } = this.parts;
    const given = chains.tokens.find(({ id }) => id === from);
    const amount = new Decimal(value).div(prices[given?.asset ?? ''] ?? '1').toDecimalPlaces(6);
    const managedOrder = { from: { id: from }, to: { id: to }, amount, slippageBps: 100 };
    const quote = isQuoted ? service.quote(PARTNER, managedOrder) : undefined;
    if (isRejection(quote)) return;
    const { publicKey } = userOf(chains, given?.network ?? '', 'user');
    service.createIntent(PARTNER, {
      quote: quote?.id,
      managedOrder,
      from: this.#address(from, 'user'),
      publicKey,
      to: this.#address(to, 'receiver'),
      refundTo: this.#address(from, 'refund'),
    });
  }

  async #approve(intent: Intent | undefined, isSound: boolean): Promise<void> {
    if (intent === undefined) return;
    const { service, chains } = this.parts;
    const { id, issued, order, deadline } = intent;
    const signer = userOf(chains, order.network.code, isSound ? 'user' : 'stranger');
    const created = {
      approval_type: issued.form,
      params_to_sign: issued.params,
      deadline_at: deadline / US_PER_SECOND,
    };
    // A stranger's key signs no input of somebody else's at all.
    if (!isSound && issued.form === 'htlc') return;
    const { contract } = order.token;
    const body = await signedBody(signer, created, { token: contract, lots: order.lots });
    const outcome = service.approve(PARTNER, id, approvalOf(issued.form, body['signed_data']));
    if (!isSound) expect(isRejection(outcome)).toBe(true);
  }

  /** Sends all away that somebody holds; gives how much that was. */
  #away(id: number, who: 'user' | 'resolver'): bigint {
    const lots = this.#held(id, who);
    const from = this.#address(id, who);
    const to = this.#address(id, 'elsewhere');
    if (lots > 0n)
      expect(isRejection(this.parts.chains.transfer({ token: id, from, to, lots }))).toBe(false);
    return lots;
  }

  #held(id: number, who: string): bigint {
    return this.parts.chains.balance(id, this.#address(id, who));
  }

  #address(id: number, who: string): string {
    const { chains, service } = this.parts;
    const { network = '' } = chains.tokens.find((one) => one.id === id) ?? {};
    if (who === 'escrow') return service.escrowAt(network);
    return who === 'resolver' ? service.resolverAt(network) : chains.addressOf(network, who);
  }

  #intent(which: number): Intent | undefined {
    return this.parts.service.intents().at(-1 - which);
  }
}

function approvalOf(form: Intent['issued']['form'], data: unknown): SignedApproval {
  if (form === 'permit2') return { form, signature: String(data) };
  if (form === 'htlc') return { form, psbt: String(data) };
  const { transaction, user_address } = data as Record<'transaction' | 'user_address', string>;
  return { form, transaction, userAddress: user_address };
}

test('whatever is asked, signed, decided and waited for, money is where the states say and moves are the documented ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 30, maxLength: 50, size: 'max' }),
      fc.nat(),
      async (operations, seed) => {
        const parts = swapParts({ seed, resolver: { declineShare: 0.1, failShare: 0.2 } });
        const moves: string[] = [];
        const states = new Map<string, string>();
        parts.service.follow(({ id, state }) => {
          moves.push(`${states.get(id) ?? 'new'} ${state}`);
          states.set(id, state);
        });
        const crowd = new Crowd(parts);
        for (const operation of operations) {
          await crowd.act(operation);
          crowd.check();
        }
        expect(moves.filter((move) => !DOCUMENTED.has(move))).toEqual([]);
      },
    ),
    { numRuns: runs(30) },
  );
}, 60_000);

test('the same seed and the same requests give the same ids, hashes and outcomes', async () => {
  const run = async (): Promise<string> => {
    const parts = swapParts({ seed: 3, resolver: { declineShare: 0.3, failShare: 0.3 } });
    const crowd = new Crowd(parts);
    for (const [at, from] of TOKENS.entries()) {
      const to = TOKENS[(at + 1) % TOKENS.length] ?? BTC;
      await crowd.act({ kind: 'create', from, to, value: 50, isQuoted: at % 2 === 0 });
      await crowd.act({ kind: 'approve', which: 0, isSound: true });
      await crowd.act({ kind: 'pass', seconds: 9 });
    }
    return JSON.stringify(parts.service.intents(), (key, value: unknown) => {
      // The library that signs for the user of Bitcoin does so by chance.
      if (key === 'transaction') return undefined;
      return typeof value === 'bigint' ? String(value) : value;
    });
  };
  const [one, other] = [await run(), await run()];
  expect(one === other).toBe(true);
});
