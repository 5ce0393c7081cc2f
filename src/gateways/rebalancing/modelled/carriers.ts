import type { Latency } from '../../simulated.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { slotName, type Slot, type Worth } from '../../../model/portfolio.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import type { Carrier } from '../../../swaps/execution/carrier.ts';
import type { TradeLimits } from '../account/limits.ts';
import { ModelledCarrier } from './carrier.ts';
import type { Journeys } from './journeys.ts';
import type { Outside } from './outside.ts';
import type { Road } from './road.ts';
import { ServiceRoad } from './service-road.ts';
import type { PortfolioModel, ServiceModel } from './settings.ts';
import { TradeRoad } from './trade-road.ts';
import { depositRoad, withdrawalRoad } from './transfer-roads.ts';
import type { ModelledVenue } from './venue.ts';

export interface CarrierParts {
  readonly model: PortfolioModel;
  readonly scheduler: Scheduler;
  readonly venue: ModelledVenue;
  /** Those that moves may trade. */
  readonly instruments: readonly Instrument[];
  readonly latency: Latency;
  readonly worth: Worth;
  readonly outside: Outside;
  readonly journeys: Journeys;
  /** How large an order of a move may be. */
  readonly limits: TradeLimits;
}

/** The carriers of a model: the account of the run first, then the services by their names. */
export function carriersOf(parts: CarrierParts): readonly Carrier[] {
  const { model } = parts;
  const services = [...model.services].map(
    ([name, service]) =>
      new ModelledCarrier(name, service.kind, parts, serviceRoads(name, service, parts)),
  );
  const account = [...tradeRoads(parts), ...transferRoads(parts)];
  return [new ModelledCarrier(model.account, 'account', parts, account), ...services];
}

function serviceRoads(name: string, model: ServiceModel, parts: CarrierParts): readonly Road[] {
  for (const slot of model.slots) checkWallet(name, slot, parts.model);
  return model.slots.flatMap((from) =>
    model.slots
      .filter((to) => slotName(to) !== slotName(from))
      .map((to) => new ServiceRoad(from, to, { ...parts, model })),
  );
}

function checkWallet(name: string, slot: Slot, { wallets, worth }: PortfolioModel): void {
  const field = `portfolio.services.${name}.slots`;
  if (wallets.get(slot.place)?.has(slot.asset) !== true) {
    throw new MillraceError(
      'config-invalid',
      `${slotName(slot)} is no wallet: name it in wallets, ${slot.place}: { ${slot.asset}: 0 } where it starts empty.`,
      { field },
    );
  }
  if (!worth.has(slot.asset)) {
    const sentence = `Nothing says what ${slot.asset} is worth: name it in worth.`;
    throw new MillraceError('config-invalid', sentence, { field: `portfolio.worth.${slot.asset}` });
  }
}

/** Trades between assets of the portfolio, on every market of the run that has both. */
function tradeRoads({ instruments, model, ...parts }: CarrierParts): readonly Road[] {
  const { account, worth, bound } = model;
  return instruments
    .filter(({ isContract }) => !isContract)
    .filter(
      ({ baseCurrency, quoteCurrency }) => worth.has(baseCurrency) && worth.has(quoteCurrency),
    )
    .flatMap((instrument) =>
      (['sell', 'buy'] as const).map(
        (side) => new TradeRoad(account, { ...parts, instrument, side, bound }),
      ),
    );
}

/** Transfers of every asset that both the account and a wallet of a named network can hold. */
function transferRoads({ model, venue, outside, journeys }: CarrierParts): readonly Road[] {
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
          withdrawalRoad(account, wallet, { model: withdrawal, outside, journeys }),
          depositRoad(wallet, account, { model: deposit, outside, journeys }),
        ];
      });
  });
}
