import type { Decimal } from './decimal.ts';
import { parseDecimal } from './decimal.ts';
import { MillraceError } from './errors.ts';

/** A network on which a currency comes in and leaves, as it stands in files and on the wire. */
export interface NetworkTerms {
  /** Code of the network: the currency that is native to it. */
  readonly network: string;
  readonly payinEnabled: boolean;
  readonly payoutEnabled: boolean;
  /** The smallest withdrawal, and the step of all others. */
  readonly precisionPayout: string;
  readonly payoutFee: string;
  /** Other fees that a withdrawal may name by their ids, for one that is sent sooner or later. */
  readonly feeLevels?: readonly { readonly id: string; readonly fee: string }[];
  /** Confirmations after which a deposit is credited. */
  readonly payinConfirmations: number;
  /** All accounts share one deposit address and are distinguished by a payment id. */
  readonly payinPaymentId: boolean;
  /** A withdrawal needs a payment id. */
  readonly payoutIsPaymentId: boolean;
  /** What an address and a payment id must match, from end to end. */
  readonly addressRegex?: string;
  readonly paymentIdRegex?: string;
  /** What the deposit addresses made here begin with, and how long they are; nothing, and 34. */
  readonly addressPrefix?: string;
  readonly addressLength?: number;
  /** What people read of it; nothing of this changes what the network does. */
  readonly shown?: NetworkCard;
}

/** A network as people are shown it. */
export interface NetworkCard {
  /** The network's code where absent. */
  readonly name?: string;
  /** Names stand for addresses there. */
  readonly isEns?: boolean;
  readonly contractAddress?: string;
  /** What a payment id is called there. */
  readonly paymentIdName?: string;
  /** A link with a `{tx}` placeholder. */
  readonly explorer?: string;
  /** Seconds that a withdrawal takes, as decimal text. */
  readonly processingTime?: { readonly low: string; readonly high: string; readonly avg: string };
  /** Whatever the network knows the coin by. */
  readonly assetId?: unknown;
}

/** A currency as people are shown it. */
export interface CurrencyCard {
  /** True where absent. */
  readonly isCrypto?: boolean;
  /** `₿` or the like. */
  readonly sign?: string;
  /** What a payment id is called. */
  readonly paymentIdName?: string;
  /** A link with a `{tx}` placeholder. */
  readonly explorer?: string;
  /** Its place in lists. */
  readonly topOrder?: number;
  /** What a QR code of an address begins with. */
  readonly qrPrefix?: string;
  readonly isDelisted?: boolean;
}

/** The terms of a currency as they stand in files and on the wire: numbers are decimal text. */
export interface CurrencyTerms {
  readonly code: string;
  readonly name: string;
  readonly payinEnabled: boolean;
  readonly payoutEnabled: boolean;
  /** Whether it moves between wallet, spot and derivatives. */
  readonly transferEnabled: boolean;
  /** The smallest transfer, and the step of all others. */
  readonly precisionTransfer: string;
  /** What an account may withdraw within 24 hours; no limit where absent. */
  readonly payoutDayLimit?: string;
  /** The first is the default; at least one. */
  readonly networks: readonly NetworkTerms[];
  /** What people read of it; nothing of this changes what can be done with it. */
  readonly shown?: CurrencyCard;
}

/** A fee at which a withdrawal may be sent. */
export interface FeeLevel {
  readonly id: string;
  readonly fee: Decimal;
}

/** A network of a currency: what a deposit and a withdrawal there must be like, and cost. */
export class Network {
  readonly terms: NetworkTerms;
  readonly precisionPayout: Decimal;
  readonly payoutFee: Decimal;
  readonly feeLevels: readonly FeeLevel[];
  readonly #address: RegExp | undefined;
  readonly #paymentId: RegExp | undefined;

  /** Throws `currency-invalid` when the terms contradict themselves. */
  constructor(terms: NetworkTerms, currency: string) {
    this.terms = Object.freeze({ ...terms });
    const label = `${currency} on ${terms.network}`;
    this.precisionPayout = step(terms.precisionPayout, 'precisionPayout', label);
    this.payoutFee = fee(terms.payoutFee, 'payoutFee', label);
    this.feeLevels = (terms.feeLevels ?? []).map((level) => ({
      id: level.id,
      fee: fee(level.fee, 'feeLevels', label),
    }));
    this.#address = pattern(terms.addressRegex, 'addressRegex', label);
    this.#paymentId = pattern(terms.paymentIdRegex, 'paymentIdRegex', label);
    link(terms.shown?.explorer, label);
    const { payinConfirmations } = terms;
    if (!Number.isSafeInteger(payinConfirmations) || payinConfirmations < 0) {
      throw invalid(label, 'payinConfirmations', 'must be a whole number');
    }
    if (!this.takesAddress(this.address(1))) {
      throw invalid(label, 'addressPrefix', `makes ${this.address(1)}, which addressRegex refuses`);
    }
  }

  get code(): string {
    return this.terms.network;
  }

  /** The deposit address of that number: the prefix and as many digits as the length asks for. */
  address(number: number): string {
    const { addressPrefix = '', addressLength = 34 } = this.terms;
    return addressPrefix + number.toString(16).padStart(addressLength - addressPrefix.length, '0');
  }

  takesAddress(address: string): boolean {
    return address !== '' && (this.#address?.test(address) ?? true);
  }

  /** Whether a withdrawal may have that payment id, or none. */
  takesPaymentId(paymentId: string | undefined): boolean {
    if (!this.terms.payoutIsPaymentId) return paymentId === undefined;
    return paymentId !== undefined && (this.#paymentId?.test(paymentId) ?? paymentId !== '');
  }
}

/** What wallets hold: whether and how it comes in, moves and leaves. */
export class Currency {
  readonly terms: CurrencyTerms;
  readonly precisionTransfer: Decimal;
  readonly payoutDayLimit: Decimal | undefined;
  readonly networks: readonly Network[];

  /** Throws `currency-invalid` when the terms contradict themselves. */
  constructor(terms: CurrencyTerms) {
    this.terms = Object.freeze({ ...terms });
    const { code, payoutDayLimit } = terms;
    if (code === '') throw invalid('""', 'code', 'is empty');
    link(terms.shown?.explorer, code);
    this.precisionTransfer = step(terms.precisionTransfer, 'precisionTransfer', code);
    this.payoutDayLimit =
      payoutDayLimit === undefined ? undefined : fee(payoutDayLimit, 'payoutDayLimit', code);
    this.networks = terms.networks.map((network) => new Network(network, code));
    const codes = new Set(this.networks.map((network) => network.code));
    if (codes.size === 0) throw invalid(code, 'networks', 'is empty');
    if (codes.size < this.networks.length) throw invalid(code, 'networks', 'names one twice');
  }

  get code(): string {
    return this.terms.code;
  }

  /** The network of that code, the default one where none is named, `undefined` where it is unknown. */
  network(code?: string): Network | undefined {
    return code === undefined ? this.networks[0] : this.networks.find((n) => n.code === code);
  }
}

/**
 * The terms of a currency of which nothing else is said: everything is allowed and free of fees,
 * amounts move down to 12 decimals and leave down to 8, and its own network confirms twice.
 */
export const plainCurrency = (code: string): CurrencyTerms => ({
  code,
  name: code,
  payinEnabled: true,
  payoutEnabled: true,
  transferEnabled: true,
  precisionTransfer: '0.000000000001',
  networks: [
    {
      network: code,
      payinEnabled: true,
      payoutEnabled: true,
      precisionPayout: '0.00000001',
      payoutFee: '0',
      payinConfirmations: 2,
      payinPaymentId: false,
      payoutIsPaymentId: false,
    },
  ],
});

/** A power of ten, as version 2 of the service gives precisions in decimal places. */
function step(text: string, field: string, label: string): Decimal {
  const value = parseDecimal(text);
  if (value === undefined || !/^(?:0\.0*1|10*)$/.test(value.toFixed())) {
    throw invalid(label, field, `is "${text}" and must be a power of ten such as "0.00000001"`);
  }
  return value;
}

function fee(text: string, field: string, label: string): Decimal {
  const value = parseDecimal(text);
  if (value === undefined || value.isNegative()) {
    throw invalid(label, field, `is "${text}" and must be a decimal of zero or more`);
  }
  return value;
}

function pattern(text: string | undefined, field: string, label: string): RegExp | undefined {
  if (text === undefined) return undefined;
  try {
    return new RegExp(`^(?:${text})$`);
  } catch {
    throw invalid(label, field, `is "${text}" and must be a regular expression`);
  }
}

function link(text: string | undefined, label: string): void {
  if (text === undefined || text.includes('{tx}')) return;
  throw invalid(label, 'explorer', `is "${text}" and must have a {tx} for the transaction`);
}

const invalid = (label: string, field: string, why: string): MillraceError =>
  new MillraceError('currency-invalid', `Currency ${label}: ${field} ${why}.`, { field });
