import { createHash } from 'node:crypto';
import type { VenueAccount } from '../../gateways/venue-account.ts';
import type { Instrument } from '../../model/instrument.ts';
import { isActive, type VenueOrder } from '../../model/order.ts';
import type { Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { Difference } from '../journal/confirmation.ts';
import type { JournalProof } from '../journal/proof.ts';

/** Inputs of the check of an account before anything is sent or reported. */
export interface ProvingSetup {
  /** Name of the account. */
  readonly name: string;
  readonly venue: VenueAccount;
  readonly proof: JournalProof;
  /** The id of the API key, which is no secret; absent on paper. */
  readonly key: string | undefined;
  /** Symbols that the strategies trade, and their names. */
  readonly symbols: readonly string[];
  readonly strategies: readonly string[];
  /** Start of the history to request. */
  readonly since: Micros;
  readonly log: Log;
}

/**
 * Checks that the journal belongs to the venue's account, that lots mean the same as before, and that it is
 * the account's first journal. Throws `journal-unconfirmed` if an operator has to check.
 */
export async function confirmAtVenue(setup: ProvingSetup): Promise<void> {
  const { proof, key } = setup;
  const fingerprint = key === undefined ? undefined : fingerprintOf(key);
  proof.confirm([
    ...(fingerprint === undefined ? [] : await otherKey(setup, fingerprint)),
    ...otherTerms(setup),
    ...(proof.isNew ? await lostJournal(setup) : []),
  ]);
  if (fingerprint !== undefined) proof.setKey(fingerprint);
  proof.settle();
}

/** A fingerprint of the key that does not reveal it. */
const fingerprintOf = (key: string): string =>
  createHash('sha256').update(`millrace ${key}`).digest('hex').slice(0, 16);

/** A key that is new: of the same account if the venue knows the journal's orders by it. */
async function otherKey(
  { name, venue, proof, since, log }: ProvingSetup,
  fingerprint: string,
): Promise<readonly Difference[]> {
  if (proof.key === undefined || proof.key === fingerprint) return [];
  const evidence = proof.evidence();
  const { orders, ended } = await venue.snapshot(since, idsOf(evidence));
  const reported = [...orders, ...ended];
  const shared = evidence.find((one) =>
    reported.some(({ clientOrderId, id }) => clientOrderId === one.clientOrderId && id === one.id),
  );
  if (shared !== undefined) {
    log.info(
      `Account ${name} has another API key than before, and the venue knows its order ${shared.clientOrderId}: it is the same account.`,
    );
    return [];
  }
  const why =
    evidence.length === 0
      ? 'the journal has no order to know the account by'
      : `the venue knows none of the last ${evidence.length} orders of the journal by it`;
  return [
    {
      token: `key-other:${fingerprint}`,
      message: `The API key of account ${name} is another one than before, and ${why}. With the key of another account every open order of the journal would be taken for lost.`,
    },
  ];
}

/** Changed terms are logged; if the value of a lot has changed, an operator has to check. */
function otherTerms({ name, venue, proof, symbols, log }: ProvingSetup): readonly Difference[] {
  const concerned = new Set([...symbols, ...proof.symbols()]);
  const instruments = venue.instruments.filter(({ symbol }) => concerned.has(symbol));
  const found: Difference[] = [];
  for (const { before, after } of proof.changedTerms(instruments)) {
    if (changedNames(before, after).length === 0) continue;
    log.warn(`The terms of ${after.symbol} (${name}) changed since the last start: ${changesOf(before, after)}.`); // prettier-ignore
    if (!isOtherLot(before, after)) continue;
    found.push({
      token: `terms:${after.symbol}:${JSON.stringify(after.terms)}`,
      message: `A lot of ${after.symbol} (${name}) was ${lotOf(before)} and is ${lotOf(after)} now. Open orders and positions of the journal are brought onto the new grid; parameters and limits that count lots mean other money.`,
    });
  }
  return found;
}

/** A journal that starts again while orders rest that another journal of these strategies numbered. */
async function lostJournal({
  name,
  venue,
  strategies,
  since,
}: ProvingSetup): Promise<readonly Difference[]> {
  const { orders } = await venue.snapshot(since, []);
  const left = orders.filter(({ clientOrderId, status }) => {
    const strategy = NUMBERED.exec(clientOrderId)?.[1];
    return strategy !== undefined && isActive(status) && strategies.includes(strategy);
  });
  const [first] = left;
  if (first === undefined) return [];
  const ids = left.map(({ clientOrderId }) => clientOrderId).sort();
  return [
    {
      token: `journal-lost:${ids.join(' ')}`,
      message: `The journal of account ${name} is new, and ${left.length === 1 ? 'an order rests' : `${left.length} orders rest`} at the venue that a strategy of this name placed by another journal, such as ${first.clientOrderId}: that journal was lost, or is in use elsewhere.`,
    },
  ];
}

/** The ids that journals number: strategy, identity, number. */
const NUMBERED = /^(.+)-[a-z0-9]{4}-\d{7,}$/;

/** Terms that do not change the value of a lot. */
const OF_PRICES: ReadonlySet<string> = new Set(['tickSize', 'takeRate', 'makeRate', 'margin']);

const termsOf = ({ terms }: Instrument): ReadonlyMap<string, string> =>
  new Map(Object.entries(terms).map(([name, value]) => [name, JSON.stringify(value)]));

/** The names of terms that differ. */
function changedNames(before: Instrument, after: Instrument): readonly string[] {
  const [was, is] = [termsOf(before), termsOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    (name) => was.get(name) !== is.get(name),
  );
}

const isOtherLot = (before: Instrument, after: Instrument): boolean =>
  changedNames(before, after).some((name) => !OF_PRICES.has(name));

function changesOf(before: Instrument, after: Instrument): string {
  const [was, is] = [termsOf(before), termsOf(after)];
  return changedNames(before, after)
    .map((name) => `${name} ${was.get(name) ?? 'none'} is ${is.get(name) ?? 'none'}`)
    .join(', ');
}

const lotOf = (instrument: Instrument): string =>
  `${instrument.quantityIncrement.toFixed()} ${instrument.baseCurrency}`;

const idsOf = (orders: readonly VenueOrder[]): readonly string[] =>
  orders.map(({ clientOrderId }) => clientOrderId);
