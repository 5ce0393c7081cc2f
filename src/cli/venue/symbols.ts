import { z } from 'zod';
import { IS_SENTENCE } from '../../config/explain.ts';
import type { CurrencyTerms } from '../../model/currency.ts';
import { MillraceError } from '../../model/errors.ts';
import { Instrument, type InstrumentTerms } from '../../model/instrument.ts';
import { MARGIN, marginTerms } from '../../backtest/config/margin.ts';
import type { SymbolSettings } from '../../server/simulation/settings.ts';
import { decimalText, withoutAbsent } from '../../config/fields.ts';

const word = z.string().min(1);

/** Names for comma lists, where * means all of them. */
const listed = word.regex(/^[^\s,*]+$/, 'text without blanks, commas and *');

const symbol = z.strictObject({
  type: z.enum(['spot', 'futures']).default('spot'),
  baseCurrency: listed.describe('Of a futures the currency that it is about.'),
  quoteCurrency: listed,
  tickSize: decimalText.describe('Prices are whole multiples of it.'),
  quantityIncrement: decimalText.describe('Quantities are whole multiples of it.'),
  takeRate: decimalText.describe('Taker fee; 0.001 is 0.1 %.'),
  makeRate: decimalText.describe('Maker fee; negative for a rebate.'),
  feeCurrency: word.optional().describe('The quote currency where absent.'),
  contractType: z.enum(['perpetual', 'cash_settled']).optional(),
  expiry: word.optional().describe('When a cash-settled futures ends.'),
  margin: MARGIN.default({}).describe('On what terms it is traded on margin.'),
  status: z.enum(['working', 'suspended', 'clearing']).default('working'),
});

/** The symbols that a venue trades, by their names. */
export const SYMBOLS = z
  .record(listed, symbol)
  .refine((symbols) => Object.keys(symbols).length > 0, 'at least one symbol such as BTCUSDT')
  .transform((symbols, context): SymbolSettings[] =>
    Object.entries(symbols).map(([name, one]) => {
      const { status, margin: modes, feeCurrency = one.quoteCurrency, ...terms } = one;
      const records = marginTerms(modes);
      const all = withoutAbsent<InstrumentTerms>({
        symbol: name,
        ...terms,
        feeCurrency,
        ...(records.length === 0 ? {} : { margin: records }),
      });
      check(name, all, context);
      return { status, terms: all };
    }),
  );

/** Reports errors in terms beyond their form, with their line. */
function check(name: string, terms: InstrumentTerms, context: z.RefinementCtx): void {
  try {
    new Instrument(terms);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    const { field, message } = error;
    const path = field === undefined ? [name] : [name, field];
    context.addIssue({ code: 'custom', path, message, params: { [IS_SENTENCE]: true } });
  }
}

const network = z.strictObject({
  network: word.describe('Code of the network: the currency that is native to it.'),
  payinEnabled: z.boolean().default(true),
  payoutEnabled: z.boolean().default(true),
  precisionPayout: decimalText.default('0.00000001'),
  payoutFee: decimalText.default('0'),
  feeLevels: z.array(z.strictObject({ id: word, fee: decimalText })).optional(),
  payinConfirmations: z.int().min(0).default(2),
  payinPaymentId: z.boolean().default(false),
  payoutIsPaymentId: z.boolean().default(false),
  addressRegex: word.optional(),
  paymentIdRegex: word.optional(),
  addressPrefix: word.optional(),
  addressLength: z.int().min(1).max(200).optional(),
  shown: z
    .strictObject({
      name: word.optional(),
      isEns: z.boolean().optional(),
      contractAddress: word.optional(),
      paymentIdName: word.optional(),
      explorer: word.optional(),
      processingTime: z
        .strictObject({ low: decimalText, high: decimalText, avg: decimalText })
        .optional(),
      assetId: z.unknown().optional(),
    })
    .optional()
    .describe('What people read of it.'),
});

const currency = z.strictObject({
  name: word.optional().describe('The code where absent.'),
  payinEnabled: z.boolean().default(true),
  payoutEnabled: z.boolean().default(true),
  transferEnabled: z.boolean().default(true),
  precisionTransfer: decimalText.default('0.00000001'),
  payoutDayLimit: decimalText.optional().describe('What an account may withdraw within 24 hours.'),
  networks: z.array(network).min(1).describe('The first is the default.'),
  shown: z
    .strictObject({
      isCrypto: z.boolean().optional(),
      sign: word.optional(),
      paymentIdName: word.optional(),
      explorer: word.optional(),
      topOrder: z.int().optional(),
      qrPrefix: word.optional(),
      isDelisted: z.boolean().optional(),
    })
    .optional()
    .describe('What people read of it.'),
});

/** Currencies by their codes; those of symbols that are not among them have plain terms. */
export const CURRENCIES = z
  .record(listed, currency)
  .transform((currencies): CurrencyTerms[] =>
    Object.entries(currencies).map(([code, { name = code, ...terms }]) =>
      withoutAbsent<CurrencyTerms>({ code, name, ...terms }),
    ),
  );
