import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AccountType } from '../../../src/model/non-spot-balance.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { micros, parseSpanUs } from '../../../src/platform/time.ts';
import { WalletHarness, given } from './harness.ts';

const PAGE = new URL('../../../docs/accounts.md', import.meta.url);
const SHOWN = [...readFileSync(PAGE, 'utf8').matchAll(/^```script\n([\s\S]*?)^```/gm)].map(
  ([, script]) => script,
);
/** A transfer by way of the wallet, a fee within the amount, withdrawals in two phases, and sub-accounts. */
const MORE = [
  `ann has 2 BTC
ann moves 1.5 BTC wallet spot
  ann TRANSFER/WALLET_TO_SPOT SUCCESS out 1.5 BTC
  spot ann BTC 1.5 0
  wallet ann BTC 0.5 0
ann moves 1 BTC spot derivatives
  ann TRANSFER/SPOT_TO_WALLET SUCCESS in 1 BTC
  ann TRANSFER/WALLET_TO_DERIVATIVES SUCCESS out 1 BTC
  spot ann BTC 0.5 0
  derivatives ann BTC 1 0
`,
  `ann has 2 BTC
ann withdraws 0.5 BTC including-fee
  ann WITHDRAW/BLOCKCHAIN CREATED out 0.4995 BTC fee 0.0005
  ann WITHDRAW/BLOCKCHAIN PENDING out 0.4995 BTC fee 0.0005
  wallet ann BTC 1.5 0.5
outside failed it
  ann WITHDRAW/BLOCKCHAIN FAILED out 0.4995 BTC fee 0.0005
  wallet ann BTC 2 0
`,
  `ann has 2 BTC
ann withdraws 1 BTC later
  ann WITHDRAW/BLOCKCHAIN CREATED out 1 BTC fee 0.0005
  wallet ann BTC 0.9995 1.0005
59m pass
ann commits
  ann WITHDRAW/BLOCKCHAIN PENDING out 1 BTC fee 0.0005
ann commits
ann rolls-back
  refused: withdrawal-committed
ann withdraws 0.5 BTC later
  ann WITHDRAW/BLOCKCHAIN CREATED out 0.5 BTC fee 0.0005
  wallet ann BTC 0.499 1.501
60m pass
  ann WITHDRAW/BLOCKCHAIN ROLLED_BACK out 0.5 BTC fee 0.0005
  wallet ann BTC 0.9995 1.0005
ann rolls-back
ann commits
  refused: withdrawal-rolled-back
`,
  `bot has 1000 USDT
bot moves 500 USDT wallet spot
  bot TRANSFER/WALLET_TO_SPOT SUCCESS out 500 USDT
  spot bot USDT 500 0
  wallet bot USDT 500 0
bot buys 2 at 100
  new
  spot bot USDT 299.6 200.4
bot withdraws 10 USDT
  refused: action-forbidden
ann freezes bot
  canceled
  spot bot USDT 500 0
  bot TRANSFER/SPOT_TO_WALLET SUCCESS in 500 USDT
  spot bot USDT 0 0
  wallet bot USDT 1000 0
bot buys 2 at 100
  refused: account-frozen
bot gives 10 USDT spare
  refused: account-frozen
ann freezes bot
  refused: sub-account-frozen
ann fetches 1000 USDT bot
  bot WITHDRAW/SUB_ACCOUNT SUCCESS out 1000 USDT
  ann DEPOSIT/SUB_ACCOUNT SUCCESS in 1000 USDT
  wallet bot USDT 0 0
  wallet ann USDT 1000 0
ann activates bot
ann sends 100 USDT bot
  ann WITHDRAW/SUB_ACCOUNT SUCCESS out 100 USDT
  bot DEPOSIT/SUB_ACCOUNT SUCCESS in 100 USDT
  wallet ann USDT 900 0
  wallet bot USDT 100 0
bot gives 10 USDT spare
  bot WITHDRAW/SUB_ACCOUNT SUCCESS out 10 USDT
  spare DEPOSIT/SUB_ACCOUNT SUCCESS in 10 USDT
  wallet bot USDT 90 0
  wallet spare USDT 10 0
ann disables spare
ann activates spare
  false
`,
];
const SCRIPTS = [...SHOWN, ...MORE];

/** Plays the lines of a script. */
class Play {
  readonly #branch = new WalletHarness();
  readonly #names: ReadonlyMap<string, number>;
  /** The transaction that was begun last. */
  #latest = '';
  #orders = 0;

  constructor() {
    const ann = this.#branch.account();
    const bot = this.#branch.sub(ann, 'bot@example.org');
    const spare = this.#branch.sub(ann, 'spare@example.org');
    this.#names = new Map(Object.entries({ ann, bot, spare }));
  }

  /** Does what a line says and gives what is told then, with names for numbers. */
  line(text: string): string[] {
    const [who, verb, ...rest] = text.split(' ');
    if (verb === 'pass') this.#pass(who);
    const outcome = verb === 'pass' ? undefined : this.#act(who, verb, rest);
    if (isRejection(outcome)) return [`refused: ${outcome.code}`, ...this.#branch.reported()];
    if (typeof outcome === 'string') this.#latest = outcome;
    const reported = outcome === false ? ['false'] : [];
    return [...reported, ...this.#branch.reported().map((each) => this.#named(each))];
  }

  #pass(span: string): void {
    const branch = this.#branch;
    branch.at = micros(branch.at + (parseSpanUs(span) ?? Number.NaN));
    branch.exchange.advance(branch.at);
  }

  #act(who: string, verb: string, [first, second, third, fourth]: string[]): unknown {
    const branch = this.#branch;
    const { wallet, subAccounts, at } = branch;
    if (who === 'outside') return this.#outside(verb, [first, second, third, fourth]);
    const account = this.#account(who);
    switch (verb) {
      case 'has': {
        const credit = { currency: second, amount: decimal(first), subtype: 'FIAT' } as const;
        given(wallet.credit(account, credit, at));
        branch.reported();
        return undefined;
      }
      case 'moves':
        return branch.transfer(account, first, second, third as AccountType, fourth as AccountType);
      case 'withdraws':
        return branch.withdraw(account, first, second, {
          autoCommit: third !== 'later',
          includeFee: third === 'including-fee',
        });
      case 'commits':
        return wallet.commit(account, this.#latest, at);
      case 'rolls-back':
        return wallet.rollback(account, this.#latest, at);
      case 'buys':
        this.#orders += 1;
        return branch.order(account, `order${this.#orders}`, 'buy', Number(first), Number(third));
      case 'freezes':
        return subAccounts.freeze(account, [this.#account(first)], at);
      case 'disables':
        return subAccounts.disable(account, [this.#account(first)], at);
      case 'activates':
        return subAccounts.activate(account, [this.#account(first)], at);
      default:
        return this.#hand(account, verb, this.#account(third), first, second);
    }
  }

  #hand(account: number, verb: string, other: number, amount: string, currency: string): unknown {
    const { subAccounts, at } = this.#branch;
    const gift = { currency, amount: decimal(amount) };
    if (verb === 'gives') return subAccounts.giveToSub(account, other, gift, at);
    const direction = new Map([
      ['sends', 'to'],
      ['fetches', 'from'],
    ] as const).get(verb as 'sends');
    if (direction === undefined) throw new Error(`Nobody knows how one ${verb}.`);
    return subAccounts.transfer(account, { ...gift, subAccount: other, direction }, at);
  }

  #outside(verb: string, [first, second, , fourth]: string[]): unknown {
    const { wallet, at } = this.#branch;
    switch (verb) {
      case 'sends': {
        const address = given(wallet.address(this.#account(fourth), second, at));
        return wallet.receive({ ...address, amount: decimal(first), hash: '' }, at);
      }
      case 'confirms':
        return wallet.confirm(this.#latest, Number(first), at);
      case 'sent':
        return wallet.settleWithdrawal(this.#latest, { kind: 'sent', hash: '' }, at);
      default:
        return wallet.settleWithdrawal(this.#latest, { kind: 'failed' }, at);
    }
  }

  #account(name: string): number {
    const account = this.#names.get(name);
    if (account === undefined) throw new Error(`Nobody is called ${name}.`);
    return account;
  }

  /** A line of the log with names for accounts, and without numbers, hashes and confirmations. */
  #named(line: string): string {
    const [head, ...rest] = line
      .replace(/^#\d+ /, '')
      .replace(/ confirmed.*| +$/, '')
      .split(' ');
    const nameOf = (word: string): string =>
      [...this.#names].find(([, account]) => String(account) === word)?.[0] ?? word;
    if (head === 'new' || head === 'canceled') return head;
    return /^\d+$/.test(head)
      ? [nameOf(head), ...rest].join(' ')
      : [head, nameOf(rest[0]), ...rest.slice(1)].join(' ');
  }
}

test('the page has scripts', () => {
  expect(SHOWN).toHaveLength(2);
});

test.each(SCRIPTS.map((script, index) => [index + 1, script]))(
  'script %i is played as it says',
  (_, script) => {
    const play = new Play();
    const played: string[] = [];
    for (const line of script.trimEnd().split('\n')) {
      if (line.startsWith('  ')) continue;
      played.push(line, ...play.line(line).map((each) => `  ${each}`));
    }
    expect(played.join('\n')).toBe(script.trimEnd());
  },
);
