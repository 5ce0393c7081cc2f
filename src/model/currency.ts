import type { Decimal } from './decimal.ts';
import { parseDecimal } from './decimal.ts';
import { MillraceError } from './errors.ts';

/** Terms of a network for deposits and withdrawals, as in files and on the wire. */
export interface NetworkTerms {
  /** Code of the network: its native currency. */
  readonly network: string;
  readonly payinEnabled: boolean;
  readonly payoutEnabled: boolean;
  /** The smallest withdrawal, and the step of all others. */
  readonly precisionPayout: string;
  readonly payoutFee: string;
  /** Other fees that a withdrawal may choose by id, to be sent sooner or later. */
  readonly feeLevels?: readonly { readonly id: string; readonly fee: string }[];
  /** Confirmations after which a deposit is credited. */
  readonly payinConfirmations: number;
  /** True if all accounts share one deposit address and are distinguished by a payment id. */
  readonly payinPaymentId: boolean;
  /** True if a withdrawal needs a payment id. */
  readonly payoutIsPaymentId: boolean;
  /** Patterns that an address and a payment id must match as a whole. */
  readonly addressRegex?: string;
  readonly paymentIdRegex?: string;
  /** Prefix and length of the deposit addresses made here; none, and 34. */
  readonly addressPrefix?: string;
  readonly addressLength?: number;
  /** Display data, which changes nothing about transfers. */
  readonly shown?: NetworkCard;
}

/** Display data of a network. */
export interface NetworkCard {
  /** The network's code if absent. */
  readonly name?: string;
  /** True if the network has names for addresses. */
  readonly isEns?: boolean;
  readonly contractAddress?: string;
  /** Name of a payment id on this network. */
  readonly paymentIdName?: string;
  /** A link with a `{tx}` placeholder. */
  readonly explorer?: string;
  /** Duration of a withdrawal in seconds, as decimal text. */
  readonly processingTime?: { readonly low: string; readonly high: string; readonly avg: string };
  /** The network's own id of the currency. */
  readonly assetId?: unknown;
}

/** Display data of a currency. */
export interface CurrencyCard {
  /** True if absent. */
  readonly isCrypto?: boolean;
  /** A sign such as `₿`. */
  readonly sign?: string;
  /** Name of a payment id. */
  readonly paymentIdName?: string;
  /** A link with a `{tx}` placeholder. */
  readonly explorer?: string;
  /** Position in lists. */
  readonly topOrder?: number;
  /** Prefix of an address in a QR code. */
  readonly qrPrefix?: string;
  readonly isDelisted?: boolean;
}

/** Terms of a currency as in files and on the wire: numbers are decimal text. */
export interface CurrencyTerms {
  readonly code: string;
  readonly name: string;
  readonly payinEnabled: boolean;
  readonly payoutEnabled: boolean;
  /** True if it can be transferred between wallet, spot and derivatives. */
  readonly transferEnabled: boolean;
  /** The smallest transfer, and the step of all others. */
  readonly precisionTransfer: string;
  /** Most that an account may withdraw within 24 hours; no limit if absent. */
  readonly payoutDayLimit?: string;
  /** The first is the default; at least one. */
  readonly networks: readonly NetworkTerms[];
  /** Display data, which changes nothing about transfers. */
  readonly shown?: CurrencyCard;
}

/** A fee level of a withdrawal. */
export interface FeeLevel {
  readonly id: string;
  readonly fee: Decimal;
}

/** A network of a currency: rules and costs of deposits and withdrawals. */
export class Network {
  readonly terms: NetworkTerms;
  readonly precisionPayout: Decimal;
  readonly payoutFee: Decimal;
  readonly feeLevels: readonly FeeLevel[];
  readonly #address: RegExp | undefined;
  readonly #paymentId: RegExp | undefined;

  /** Throws `currency-invalid` for contradictory terms. */
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

  /** The n-th deposit address: the prefix, and digits up to the length. */
  address(number: number): string {
    const { addressPrefix = '', addressLength = 34 } = this.terms;
    return addressPrefix + number.toString(16).padStart(addressLength - addressPrefix.length, '0');
  }

  takesAddress(address: string): boolean {
    return address !== '' && (this.#address?.test(address) ?? true);
  }

  /** Whether a withdrawal may have this payment id, or none. */
  takesPaymentId(paymentId: string | undefined): boolean {
    if (!this.terms.payoutIsPaymentId) return paymentId === undefined;
    return paymentId !== undefined && (this.#paymentId?.test(paymentId) ?? paymentId !== '');
  }
}

/** A currency of wallets, with the rules of its transfers. */
export class Currency {
  readonly terms: CurrencyTerms;
  readonly precisionTransfer: Decimal;
  readonly payoutDayLimit: Decimal | undefined;
  readonly networks: readonly Network[];

  /** Throws `currency-invalid` for contradictory terms. */
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

  /** The network of a code, the default one without a code, `undefined` if it is unknown. */
  network(code?: string): Network | undefined {
    return code === undefined ? this.networks[0] : this.networks.find((n) => n.code === code);
  }
}

/**
 * Default terms of a currency: everything is allowed and free, transfers have up to 12 decimals and
 * withdrawals 8, and its own network confirms twice.
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

/** A power of ten: version 2 of the service states precisions in decimal places. */
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
