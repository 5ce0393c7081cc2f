import type { Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import { slotName, type Slot } from '../../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import { micros } from '../../../platform/time.ts';
import type {
  Carrier,
  CarrierKind,
  MoveChange,
  MoveRecord,
  Offer,
  Step,
} from '../../../swaps/execution/carrier.ts';
import type { TransfersInFlight } from './transfers-in-flight.ts';
import type { ModelledRoute } from './route.ts';

/** Carries moves by modelled roads: the same steps as a real carrier, in modelled time. */
export class ModelledCarrier implements Carrier {
  readonly name: string;
  readonly kind: CarrierKind;
  readonly #scheduler: Scheduler;
  readonly #routes: ReadonlyMap<string, ModelledRoute>;
  /** Also of moves whose road is gone. */
  readonly #status: (move: string) => MoveChange | undefined;

  constructor(
    name: string,
    kind: CarrierKind,
    {
      scheduler,
      inFlight,
    }: { readonly scheduler: Scheduler; readonly inFlight: TransfersInFlight },
    routes: readonly ModelledRoute[],
  ) {
    this.#status = (move) => inFlight.status(move);
    this.name = name;
    this.kind = kind;
    this.#scheduler = scheduler;
    this.#routes = new Map(routes.map((route) => [keyOf(route), route]));
  }

  pairs(): readonly (readonly [Slot, Slot])[] {
    return [...this.#routes.values()].map(({ from, to }) => [from, to]);
  }

  offer(from: Slot, to: Slot, send: Decimal): Promise<Offer | Rejection> {
    const offer = this.#routes.get(keyOf({ from, to }))?.offer(send);
    if (offer === undefined) return Promise.resolve(noRoute(this.name, from, to));
    if (isRejection(offer)) return Promise.resolve(offer);
    const { validUs, ...terms } = offer;
    const expiresAt = micros(this.#scheduler.now() + validUs);
    const { name: carrier, kind } = this;
    return Promise.resolve({ carrier, kind, from, to, expiresAt, ...terms });
  }

  next(move: MoveRecord): Step | undefined {
    const { data } = move;
    const route = this.#routes.get(keyOf(move));
    if (data['paid'] === true) return undefined;
    if (route === undefined) return { name: GIVE_UP, data: {}, pays: false };
    const { opening, paying } = route;
    if (opening !== undefined && data['opened'] !== true) {
      return { name: opening.name, data: {}, pays: false };
    }
    return { name: paying, data: { send: move.send.toFixed() }, pays: true };
  }

  perform(move: MoveRecord, step: Step): Promise<MoveChange> {
    if (step.name === GIVE_UP) {
      const { message } = noRoute(this.name, move.from, move.to);
      return Promise.resolve({ state: 'failed', reason: message });
    }
    const route = this.#route(move);
    const { opening } = route;
    return opening !== undefined && step.name === opening.name
      ? opening.open(move)
      : route.pay(move);
  }

  /** Steps here are done whole or not at all, and what was done is known. */
  recall(move: MoveRecord): Promise<MoveChange | 'undone'> {
    return Promise.resolve(this.#status(move.id) ?? 'undone');
  }

  observe(move: MoveRecord): Promise<MoveChange | undefined> {
    const status = this.#status(move.id);
    if (status === undefined && move.data['paid'] === true) return Promise.resolve(FORGOTTEN);
    return Promise.resolve(status?.state === move.state ? undefined : status);
  }

  #route(pair: { readonly from: Slot; readonly to: Slot }): ModelledRoute {
    const route = this.#routes.get(keyOf(pair));
    if (route !== undefined) return route;
    throw new MillraceError('internal', noRoute(this.name, pair.from, pair.to).message);
  }
}

/** The step of a move that has no road any more and was not paid. */
const GIVE_UP = 'giveUp';

/** Of a paid move that is not known: account and wallets are as they were before it. */
const FORGOTTEN: MoveChange = {
  state: 'failed',
  reason:
    'The journal of the account does not know it, so all that it sent is where it was before.',
};

const keyOf = ({ from, to }: { readonly from: Slot; readonly to: Slot }): string =>
  `${slotName(from)} ${slotName(to)}`;

const noRoute = (name: string, from: Slot, to: Slot): Rejection => ({
  code: 'pair-unavailable',
  message: `${name} does not move ${slotName(from)} to ${slotName(to)}.`,
});
