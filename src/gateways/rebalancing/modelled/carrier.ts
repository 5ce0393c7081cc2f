import type { Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import { slotName, type Slot } from '../../../model/portfolio.ts';
import { isRefusal, type Refusal } from '../../../model/refusals.ts';
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
import type { Journeys } from './journeys.ts';
import type { Road } from './road.ts';

/** Carries moves by modelled roads: the same steps as a real carrier, in modelled time. */
export class ModelledCarrier implements Carrier {
  readonly name: string;
  readonly kind: CarrierKind;
  readonly #scheduler: Scheduler;
  readonly #roads: ReadonlyMap<string, Road>;
  /** Also of moves whose road is gone. */
  readonly #standing: (move: string) => MoveChange | undefined;

  constructor(
    name: string,
    kind: CarrierKind,
    { scheduler, journeys }: { readonly scheduler: Scheduler; readonly journeys: Journeys },
    roads: readonly Road[],
  ) {
    this.#standing = (move) => journeys.standing(move);
    this.name = name;
    this.kind = kind;
    this.#scheduler = scheduler;
    this.#roads = new Map(roads.map((road) => [keyOf(road), road]));
  }

  pairs(): readonly (readonly [Slot, Slot])[] {
    return [...this.#roads.values()].map(({ from, to }) => [from, to]);
  }

  offer(from: Slot, to: Slot, send: Decimal): Promise<Offer | Refusal> {
    const offer = this.#roads.get(keyOf({ from, to }))?.offer(send);
    if (offer === undefined) return Promise.resolve(noRoad(this.name, from, to));
    if (isRefusal(offer)) return Promise.resolve(offer);
    const { validUs, ...terms } = offer;
    const expiresAt = micros(this.#scheduler.now() + validUs);
    const { name: carrier, kind } = this;
    return Promise.resolve({ carrier, kind, from, to, expiresAt, ...terms });
  }

  next(move: MoveRecord): Step | undefined {
    const { data } = move;
    const road = this.#roads.get(keyOf(move));
    if (data['paid'] === true) return undefined;
    if (road === undefined) return { name: GIVE_UP, data: {}, pays: false };
    const { opening, paying } = road;
    if (opening !== undefined && data['opened'] !== true) {
      return { name: opening.name, data: {}, pays: false };
    }
    return { name: paying, data: { send: move.send.toFixed() }, pays: true };
  }

  perform(move: MoveRecord, step: Step): Promise<MoveChange> {
    if (step.name === GIVE_UP) {
      const { message } = noRoad(this.name, move.from, move.to);
      return Promise.resolve({ state: 'failed', reason: message });
    }
    const road = this.#road(move);
    const { opening } = road;
    return opening !== undefined && step.name === opening.name
      ? opening.open(move)
      : road.pay(move);
  }

  /** Steps here are done whole or not at all, and what was done is known. */
  recall(move: MoveRecord): Promise<MoveChange | 'undone'> {
    return Promise.resolve(this.#standing(move.id) ?? 'undone');
  }

  observe(move: MoveRecord): Promise<MoveChange | undefined> {
    const standing = this.#standing(move.id);
    if (standing === undefined && move.data['paid'] === true) return Promise.resolve(FORGOTTEN);
    return Promise.resolve(standing?.state === move.state ? undefined : standing);
  }

  #road(pair: { readonly from: Slot; readonly to: Slot }): Road {
    const road = this.#roads.get(keyOf(pair));
    if (road !== undefined) return road;
    throw new MillraceError('internal', noRoad(this.name, pair.from, pair.to).message);
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

const noRoad = (name: string, from: Slot, to: Slot): Refusal => ({
  code: 'pair-unavailable',
  message: `${name} does not move ${slotName(from)} to ${slotName(to)}.`,
});
