import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import { US_PER_SECOND } from '../../platform/time.ts';
import type { Gateway, GatewayFactory } from '../own/gateway.ts';
import { CcxtAccount } from './account.ts';
import type { ContractSettings } from './agreement.ts';
import { CLIENT_ORDER_ID_FORMS, type ClientOrderIdFormName } from './client-order-ids.ts';
import { readingError } from './errors.ts';
import { loadCcxt, makeExchange, type ExchangeSettings } from './exchange.ts';
import { CcxtMarket, type CcxtMarketSetup } from './market.ts';
import { readInstruments } from './terms.ts';
import { venueRules } from './venues.ts';

/** A configured account at an exchange of ccxt. */
export interface CcxtSettings extends ExchangeSettings {
  /** Unified symbols, such as BTC/USDT, that can be traded and whose orders are read. */
  readonly symbols: readonly string[];
  /** Polling interval of data without a stream. */
  readonly pollUs: number;
  /** For an exchange whose client order ids are not known here. */
  readonly clientOrderIds?: ClientOrderIdFormName | undefined;
  /** How perpetuals are traded live. */
  readonly contracts?: ContractSettings | undefined;
}

/**
 * Makes gateways to an exchange of ccxt; `secrets` are its credentials, by ccxt's names. Market data and
 * account have an exchange object each: order books of ccxt are floats, while the account's numbers are
 * text.
 */
export const ccxtGateway =
  (settings: CcxtSettings): GatewayFactory =>
  async ({ secrets, scheduler, random, log }) => {
    const ccxt = await loadCcxt();
    const { symbols, pollUs, id } = settings;
    const warn = ({ message, code }: MillraceError): void =>
      log.warn(`${message} (${id})`, { code });
    const exchange = makeExchange(ccxt, settings, secrets, 'text');
    const marketExchange = makeExchange(ccxt, settings, {}, 'float');
    const rules = venueRules(id);
    const name = settings.clientOrderIds ?? rules.clientOrderIds;
    const hasKey = Object.keys(secrets).length > 0;
    const market = new CcxtMarket({
      exchange: marketExchange,
      contractExchange: makeExchange(ccxt, settings, {}, 'text'),
      scheduler,
      random,
      warn,
      pollUs,
    });
    const instruments = async (): Promise<readonly Instrument[]> => {
      try {
        const exchanges = { market: marketExchange, account: exchange };
        const found = await readInstruments(ccxt, exchanges, symbols, { hasKey, warn });
        await market.learn(found);
        return found;
      } catch (error) {
        throw readingError(error);
      }
    };
    const account = new CcxtAccount({
      exchange,
      rules,
      form: CLIENT_ORDER_ID_FORMS[name ?? 'plain'],
      scheduler,
      random,
      warn,
      instruments: async () => {
        if (name === undefined) throw unknownIds(id);
        return instruments();
      },
      pollUs,
      contracts: settings.contracts,
    });
    return { account, market, instruments, close: async () => void (await exchange.close()) } satisfies Gateway; // prettier-ignore
  };

/** The market of an exchange of ccxt alone, without credentials, and its instruments. */
export async function openCcxtMarket(
  settings: ExchangeSettings & Pick<CcxtSettings, 'symbols'>,
  services: Omit<CcxtMarketSetup, 'exchange' | 'contractExchange' | 'pollUs'>,
): Promise<{
  readonly instruments: readonly Instrument[];
  readonly market: CcxtMarket;
  close(): Promise<void>;
}> {
  const ccxt = await loadCcxt();
  const exchange = makeExchange(ccxt, settings, {}, 'float');
  const close = async (): Promise<void> => void (await exchange.close());
  const { warn } = services;
  try {
    const exchanges = { market: exchange, account: exchange };
    const instruments = await readInstruments(ccxt, exchanges, settings.symbols, { hasKey: false, warn }); // prettier-ignore
    const contractExchange = makeExchange(ccxt, settings, {}, 'text');
    const market = new CcxtMarket({ exchange, contractExchange, ...services, pollUs: US_PER_SECOND }); // prettier-ignore
    await market.learn(instruments);
    return { instruments, market, close };
  } catch (error) {
    await close();
    throw readingError(error);
  }
}

const unknownIds = (id: string): MillraceError =>
  new MillraceError(
    'config-invalid',
    `Which client order ids ${id} takes is not known: set clientOrderIds to ${Object.keys(CLIENT_ORDER_ID_FORMS).join(', ')}. By these ids orders are found again after a restart.`,
    { field: 'clientOrderIds' },
  );
