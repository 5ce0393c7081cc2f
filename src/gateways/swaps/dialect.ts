import type { z } from 'zod';
import type { Decimal } from '../../model/decimal.ts';
import type { SignedApproval } from '../../swaps/approvals/approval.ts';
import { rawNumber, writeJson } from '../../wire/json.ts';
import { EXECUTION_PREFIX } from '../../wire/swaps/execution.ts';
import { invalid } from '../http/invalid.ts';
import type { intentArguments, quoteArguments } from './arguments.ts';
import type { SwapDialect } from './settings.ts';

type QuoteGiven = z.output<typeof quoteArguments>;
type IntentGiven = z.output<typeof intentArguments>;
type Selector = QuoteGiven['from'];

/** Paths and bodies of the Execution surface, in one of its existing forms. */
export class DialectWords {
  readonly #dialect: SwapDialect;

  constructor(dialect: SwapDialect) {
    this.#dialect = dialect;
  }

  get isNewest(): boolean {
    return this.#dialect === 'newest';
  }

  /** The path of a resource; the newest pages write a slash at its end. */
  path(resource: string): string {
    return `${EXECUTION_PREFIX}${resource}${this.isNewest ? '/' : ''}`;
  }

  quote({ from, to, amount, slippage_bps }: QuoteGiven): object {
    return {
      from: this.#side('from_', from),
      to: this.#side('to_', to),
      amount: this.#amount(amount),
      slippage_bps,
    };
  }

  /** Throws `request-invalid` for an intent without a quote in the newest dialect, which has none. */
  intent(name: string, given: IntentGiven): object {
    const { quote_id, from, to, refund_address, amount, slippage_bps } = given;
    if (!this.isNewest) {
      return {
        quote_id,
        from: this.#side('from_', from),
        to: this.#side('to_', to),
        refund_address,
        amount: this.#amount(amount),
        slippage_bps,
      };
    }
    if (quote_id === undefined) {
      throw invalid(name, 'quote_id is required in the newest dialect', 'quote_id');
    }
    const { address, public_key } = from;
    return { quote_id, from: { address, refund_address, public_key }, to: { address: to.address } };
  }

  approval(signed: SignedApproval): object {
    switch (signed.form) {
      case 'permit2':
        return { approval_type: 'permit2', signed_data: signed.signature };
      case 'htlc':
        return { approval_type: this.isNewest ? 'htlc' : 'psbt', signed_data: signed.psbt };
      case 'cosign': {
        const data = { transaction: signed.transaction, user_address: signed.userAddress };
        const text = Buffer.from(writeJson(data)).toString('base64');
        return { approval_type: 'cosign', signed_data: this.isNewest ? text : data };
      }
    }
  }

  /** The JSON number of an amount with all its digits; text in the newest dialect. */
  #amount(amount: Decimal): unknown {
    return this.isNewest ? amount.toFixed() : rawNumber(amount.toFixed());
  }

  #side(prefix: string, { token, ...side }: Selector): object {
    const members = { ...side, [this.isNewest ? 'contract_address' : 'token']: token };
    if (this.#dialect !== 'prefixed') return members;
    return Object.fromEntries(
      Object.entries(members).map(([name, value]) => [`${prefix}${name}`, value]),
    );
  }
}
