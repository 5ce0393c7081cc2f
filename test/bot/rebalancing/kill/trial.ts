import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { Decimal, ZERO } from '../../../../src/model/decimal.ts';
import { holdingName } from '../../../../src/model/portfolio.ts';
import { TOKENS } from '../../../swaps/chains/harness.ts';
import { folder } from '../../rig.ts';
import type { Errand, ManagedOrder } from './errand.ts';
import type { TrialVenue } from './whole-venue.ts';

/** A transfer as the journal has it. */
export interface TransferRow {
  readonly id: string;
  readonly state: string;
  readonly route: string;
  readonly from: string;
  readonly to: string;
  /** What left, or is to leave. */
  readonly send: Decimal;
  readonly arrived: Decimal;
  readonly refunded: Decimal;
  /** Its money may leave, or has. */
  readonly isPaying: boolean;
  /** What routes know of it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Files of a rebalance, which outlive its processes. */
export class Trial {
  readonly venue: TrialVenue;
  readonly #data = folder();
  readonly #before: ReadonlyMap<string, Decimal>;

  constructor(venue: TrialVenue) {
    this.venue = venue;
    this.#before = new Map(
      venue.holdings.map((holding) => [holdingName(holding), venue.holds(holding)]),
    );
  }

  get path(): string {
    return join(this.#data, 'rebalancing.sqlite');
  }

  /** A file that tells a process what to do. */
  errand(plan: string, managedOrders: readonly ManagedOrder[]): string {
    const { url, privateKey, keys, credentials } = this.venue;
    const reach = { url, privateKey, keys, credentials };
    const errand: Errand = { ...reach, path: this.path, plan, managedOrders };
    const file = join(this.#data, `${plan}.json`);
    writeFileSync(file, JSON.stringify(errand));
    return file;
  }

  /** All transfers of all plans. */
  transfers(): readonly TransferRow[] {
    if (!existsSync(this.path)) return [];
    const database = new DatabaseSync(this.path, { readOnly: true });
    const rows = database.prepare('SELECT * FROM moves ORDER BY plan, position').all();
    database.close();
    return rows.map((row) => {
      const amount = (text: unknown): Decimal => new Decimal(typeof text === 'string' ? text : 0);
      return {
        id: String(row['id']),
        state: String(row['state']),
        route: String(row['carrier']),
        from: String(row['from_slot']),
        to: String(row['to_slot']),
        send: amount(row['sent'] ?? row['send']),
        arrived: amount(row['arrived']),
        refunded: amount(row['refunded']),
        isPaying: row['paying'] === 1,
        data: JSON.parse(String(row['data'])) as TransferRow['data'],
      };
    });
  }

  /**
   * Whatever was killed: no money came into being or was lost, and none has left that the journal
   * had not said before, or twice.
   */
  expectConserved(): void {
    const { venue } = this;
    for (const { id } of TOKENS) {
      const { minted, held } = venue.chains.supply(id);
      expect(held).toBe(minted);
    }
    for (const asset of ['USDC', 'BTC']) {
      const [owed, held] = venue.backing(asset);
      expect(`${asset} ${held.toFixed()}`).toBe(`${asset} ${owed.toFixed()}`);
    }
    const paying = this.transfers().filter(({ isPaying }) => isPaying);
    const reported = (key: string): readonly unknown[] => paying.map(({ data }) => data[key]);
    expect(reported('intent')).toEqual(expect.arrayContaining(venue.paid.map(({ id }) => id)));
    expect(reported('order')).toEqual(expect.arrayContaining(venue.paidOrders.map(({ id }) => id)));
    const letGo = venue.withdrawals.filter(({ status }) => /PENDING|SUCCESS/.test(status));
    expect(reported('withdrawal')).toEqual(expect.arrayContaining(letGo.map(({ txId }) => txId)));
    const onChains = paying.filter(({ from }) => !from.endsWith('@trading'));
    const payments = onChains.map(({ send, from }) => `out ${send.toFixed()} ${from}`);
    expect(excess(venue.transfers.filter(isPayment), payments)).toEqual([]);
  }

  /**
   * All has ended: each transfer was paid once, at the services and on the chains, if it says so
   * and not otherwise; chains, trading account and journal agree to the last unit.
   */
  expectSound(): void {
    this.expectConserved();
    const transfers = this.transfers();
    expect(transfers.filter(({ state }) => !/^(fulfilled|refunded|failed|expired)$/.test(state))).toEqual([]); // prettier-ignore
    const paid = transfers.filter(({ state }) => state === 'fulfilled' || state === 'refunded');
    this.#expectPaid(paid);
    for (const one of this.venue.holdings) {
      const holding = holdingName(one);
      const came = paid.filter(({ to }) => to === holding).map(({ arrived }) => arrived);
      const left = paid.filter(({ from }) => from === holding).map(({ send, refunded }) => send.minus(refunded)); // prettier-ignore
      const expected = sum(came, this.#before.get(holding) ?? ZERO).minus(sum(left, ZERO));
      expect(`${holding} ${this.venue.holds(one).toFixed()}`).toBe(
        `${holding} ${expected.toFixed()}`,
      );
    }
  }

  #expectPaid(paid: readonly TransferRow[]): void {
    const { venue } = this;
    const of = (route: string, key: string): readonly unknown[] =>
      paid
        .filter((transfer) => transfer.route === route && key in transfer.data)
        .map(({ data }) => data[key]);
    expect(of('swaps', 'intent').toSorted()).toEqual(venue.paid.map(({ id }) => id).toSorted());
    expect(of('exchange-orders', 'order').toSorted()).toEqual(venue.paidOrders.map(({ id }) => id).toSorted()); // prettier-ignore
    const done = venue.withdrawals.filter(({ status }) => status === 'SUCCESS');
    expect(of('account', 'withdrawal').toSorted()).toEqual(done.map(({ txId }) => txId).toSorted());
    const deposits = venue.deposits.map(({ txId, status }) => `${txId} ${status}`);
    expect(of('account', 'deposit').map((id) => `${String(id)} SUCCESS`).toSorted()).toEqual(deposits.toSorted()); // prettier-ignore
    const transfers = paid.flatMap(({ from, to, send, arrived, refunded }) => [
      ...(from.endsWith('@trading') ? [] : [`out ${send.toFixed()} ${from}`]),
      ...(to.endsWith('@trading') || arrived.isZero() ? [] : [`in ${arrived.toFixed()} ${to}`]),
      ...(refunded.isZero() ? [] : [`in ${refunded.toFixed()} ${from}`]),
    ]);
    expect(venue.transfers.toSorted()).toEqual(transfers.toSorted());
  }
}

const isPayment = (transfer: string): boolean => transfer.startsWith('out');

/** What of a list is not in another one, as often as it is not. */
function excess(list: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return list.filter((one) => {
    const index = left.indexOf(one);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

const sum = (values: readonly Decimal[], first: Decimal): Decimal =>
  values.reduce((total, one) => total.plus(one), first);
