import assert from 'node:assert/strict';
import type { ContingencyType } from '../../src/model/order.ts';

/** The legs of a list that exclude each other, and which of them has executed. */
interface Legs {
  readonly number: number;
  readonly set: { executed: number | undefined };
}

/**
 * Reads what an exchange tells and what it was asked, and holds it to what is true of orders
 * whatever the rules: fills add up, an ended order never moves again, of legs that exclude each
 * other one executes, and a list is there as a whole or not at all.
 */
export class Invariants {
  /** Executed lots by order. */
  readonly #executed = new Map<string, number>();
  readonly #ended = new Set<string>();
  readonly #legs = new Map<string, Legs>();
  /** The last trade number and price of each order in it: both sides of a trade agree. */
  #trade: { id: number; lots: string } | undefined;

  /** An order list was placed; `told` is what followed. */
  list(
    type: ContingencyType,
    names: readonly string[],
    isAccepted: boolean,
    reported: readonly string[],
  ): void {
    const first = reported.map((line) => line.split(' ')).filter(([event]) => event !== 'balance');
    const begun = names.filter((name) =>
      first.some(([event, word]) => event !== 'trade' && word === pad(name)),
    );
    assert.equal(begun.length, isAccepted ? names.length : 0, 'a list is never half accepted');
    if (!isAccepted || type === 'allOrNone' || type === 'oneTriggerOther') return;
    const set = { executed: undefined };
    for (const [number, name] of names.entries()) {
      if (type === 'oneCancelOther' || number > 0) this.#legs.set(pad(name), { number, set });
    }
  }

  /** An order was replaced; the new one is what the old one was. */
  replaced(name: string, newName: string): void {
    this.#executed.set(pad(newName), this.#executed.get(pad(name)) ?? 0);
    this.#ended.add(pad(name));
    const legs = this.#legs.get(pad(name));
    if (legs !== undefined) this.#legs.set(pad(newName), legs);
  }

  /** Reads what was told since the last time. */
  read(reported: readonly string[]): void {
    for (const line of reported) {
      const words = line.split(' ');
      if (words[0] === 'trade') this.#fill(words);
      else if (words[0] !== 'balance') this.#event(words);
    }
  }

  #fill([, id, name, , what, , status, progress]: readonly string[]): void {
    const lots = Number(what.split('@')[0]);
    const [executed, total] = progress.split('/').map(Number);
    assert.ok(!this.#ended.has(name), `${name} trades after its end`);
    const before = this.#executed.get(name) ?? 0;
    assert.equal(before + lots, executed, `the fills of ${name} add up`);
    assert.ok(executed <= total, `${name} executes no more than it has`);
    assert.equal(status === 'filled', executed === total);
    this.#executed.set(name, executed);
    if (status === 'filled') this.#ended.add(name);
    if (this.#trade?.id === Number(id)) assert.equal(this.#trade.lots, what);
    this.#trade = { id: Number(id), lots: what };
    const legs = this.#legs.get(name);
    if (legs === undefined) return;
    legs.set.executed ??= legs.number;
    assert.equal(legs.set.executed, legs.number, 'one leg executes at most');
  }

  #event([event, name, status, progress]: readonly string[]): void {
    const [executed, total] = progress.split('/').map(Number);
    assert.ok(!this.#ended.has(name), `${name} is told of after its end`);
    assert.equal(executed, this.#executed.get(name) ?? 0, `${name} tells what it has executed`);
    assert.ok(executed < total);
    if (event === 'canceled' || event === 'expired') {
      assert.equal(status, event);
      this.#ended.add(name);
    }
  }
}

const pad = (name: string): string => name.padEnd(8, '-');
