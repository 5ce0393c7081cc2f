import type { z } from 'zod';
import { decoded, fault, undecoded, type Decoded } from '../../../../../wire/trading/faults.ts';
import { takesAll } from '../../../../../wire/trading/v3/streams/channels.ts';
import type { subscription } from '../../../../../wire/trading/v3/streams/market.ts';
import {
  isContract,
  namedCurrencies,
  namedSymbols,
  targetCurrency,
} from '../../../market/named.ts';
import type { TradingService } from '../../../service.ts';
import type { RequestedChannel } from './channels.ts';

export type Params = z.output<typeof subscription>;

/** Means every symbol, or every currency. */
const ALL = '*';

/** Adds the currency of prices, for channels that have one. */
export function withTarget(
  service: TradingService,
  asked: RequestedChannel,
  { target_currency: code }: Params,
): Decoded<RequestedChannel> {
  const { feed } = asked.channel;
  if (feed !== 'price-rate' && feed !== 'converted-candles') return decoded(asked);
  if (feed === 'converted-candles' && code === undefined) {
    return undecoded(fault(10001, 'target_currency is required', 'target_currency'));
  }
  const target = targetCurrency(service, code, 'target_currency');
  return target.kind === 'fault' ? target : decoded({ ...asked, target: target.value });
}

/** The known symbols of a subscription (of rates the currencies). */
export function keysOf(
  service: TradingService,
  { channel, target }: RequestedChannel,
  params: Params,
): Decoded<readonly string[]> {
  const isRate = channel.feed === 'price-rate';
  const member = isRate ? 'currencies' : 'symbols';
  const given = params[member] ?? [];
  if (given.length === 0) return undecoded(fault(10001, `${member} is required`, member));
  const isAll = given.includes(ALL) && takesAll(channel.feed);
  const named = isAll ? [] : given;
  if (isRate) {
    const found = namedCurrencies(service, named, member);
    if (found.kind === 'fault') return found;
    // A currency's rate in itself is one, and never changes.
    const others = isAll ? found.value.filter((one) => one !== target) : found.value;
    return decoded(others.map(({ code }) => code));
  }
  const found =
    channel.feed === 'futures-info'
      ? namedSymbols(service, 3, named, isContract)
      : namedSymbols(service, 3, named);
  if (found.kind === 'fault') return found;
  return decoded(found.value.map((index) => service.exchange.instruments[index].symbol));
}

/** The keys that an unsubscription names among those that are followed; all for none and for `*`. */
export function endedKeys(
  { channel }: RequestedChannel,
  params: Params,
  followed: readonly string[],
): readonly string[] {
  const given = params[channel.feed === 'price-rate' ? 'currencies' : 'symbols'] ?? [];
  if (given.length === 0 || given.includes(ALL)) return followed;
  return followed.filter((key) => given.includes(key));
}
