import type { Latency } from '../../simulated.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { slotName, type Slot, type PriceOf } from '../../../model/portfolio.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import type { Carrier } from '../../../swaps/execution/carrier.ts';
import type { TradeLimits } from '../account/limits.ts';
import { ModelledCarrier } from './carrier.ts';
import type { TransfersInFlight } from './transfers-in-flight.ts';
import type { OutsideFunds } from './outside-funds.ts';
import type { ModelledRoute } from './route.ts';
import { ModelledService } from './service.ts';
import type { PortfolioModel, ServiceModel } from './settings.ts';
import { ModelledTrade } from './trade.ts';
import { depositRoute, withdrawalRoute } from './transfers.ts';
import type { ModelledVenue } from './venue.ts';

export interface CarrierParts {
  readonly model: PortfolioModel;
  readonly scheduler: Scheduler;
  readonly venue: ModelledVenue;
  /** Those that moves may trade. */
  readonly instruments: readonly Instrument[];
  readonly latency: Latency;
  readonly priceOf: PriceOf;
  readonly outside: OutsideFunds;
  readonly inFlight: TransfersInFlight;
  /** How large an order of a move may be. */
  readonly limits: TradeLimits;
}

/** The carriers of a model: the account of the run first, then the services by their names. */
export function carriersOf(parts: CarrierParts): readonly Carrier[] {
  const { model } = parts;
  const services = [...model.services].map(
    ([name, service]) =>
      new ModelledCarrier(name, service.kind, parts, serviceRoutes(name, service, parts)),
  );
  const account = [...tradeRoutes(parts), ...transferRoutes(parts)];
  return [new ModelledCarrier(model.account, 'account', parts, account), ...services];
}

function serviceRoutes(
  name: string,
  model: ServiceModel,
  parts: CarrierParts,
): readonly ModelledRoute[] {
  for (const slot of model.slots) checkWallet(name, slot, parts.model);
  return model.slots.flatMap((from) =>
    model.slots
      .filter((to) => slotName(to) !== slotName(from))
      .map((to) => new ModelledService(from, to, { ...parts, model })),
  );
}

function checkWallet(name: string, slot: Slot, { wallets, prices }: PortfolioModel): void {
  const field = `portfolio.services.${name}.slots`;
  if (wallets.get(slot.place)?.has(slot.asset) !== true) {
    throw new MillraceError(
      'config-invalid',
      `${slotName(slot)} is no wallet: name it in wallets, ${slot.place}: { ${slot.asset}: 0 } where it starts empty.`,
      { field },
    );
  }
  if (!prices.has(slot.asset)) {
    const sentence = `Nothing says what ${slot.asset} is worth: name it in prices.`;
    throw new MillraceError('config-invalid', sentence, {
      field: `portfolio.prices.${slot.asset}`,
    });
  }
}

/** Trades between assets of the portfolio, on every market of the run that has both. */
function tradeRoutes({ instruments, model, ...parts }: CarrierParts): readonly ModelledRoute[] {
  const { account, prices, bound } = model;
  return instruments
    .filter(({ isContract }) => !isContract)
    .filter(
      ({ baseCurrency, quoteCurrency }) => prices.has(baseCurrency) && prices.has(quoteCurrency),
    )
    .flatMap((instrument) =>
      (['sell', 'buy'] as const).map(
        (side) => new ModelledTrade(account, { ...parts, instrument, side, bound }),
      ),
    );
}

/** Transfers of every asset that both the account and a wallet of a named network can hold. */
function transferRoutes({
  model,
  venue,
  outside,
  inFlight,
}: CarrierParts): readonly ModelledRoute[] {
  return [...model.networks].flatMap(([place, { withdrawal, deposit }]) => {
    const assets = model.wallets.get(place);
    if (assets === undefined) {
      const sentence = `The network ${place} has no wallets: name them in wallets, ${place}: { USDT: 0 }.`;
      throw new MillraceError('config-invalid', sentence, { field: `portfolio.networks.${place}` });
    }
    return [...assets.keys()]
      .filter((asset) => venue.holds(asset))
      .flatMap((asset) => {
        const [account, wallet] = [
          { asset, place: model.account },
          { asset, place },
        ];
        return [
          withdrawalRoute(account, wallet, { model: withdrawal, outside, inFlight }),
          depositRoute(wallet, account, { model: deposit, outside, inFlight }),
        ];
      });
  });
}
