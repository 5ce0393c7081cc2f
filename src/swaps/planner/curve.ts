/** What a route brings for what it is sent, in the unit of prices. */
export interface CurvePoint {
  readonly send: number;
  readonly least: number;
  readonly expected: number;
  readonly fee?: EdgeFee | undefined;
}

/** Network fee beside what is sent; it does not depend on the amount. */
export interface EdgeFee {
  /** Name of the holding that pays it. */
  readonly coin: string;
  /** Value as expected and at most; 0 where the coin has no price. */
  readonly value: number;
  readonly most: number;
  /** The most, as a share of what is held of the coin. */
  readonly share: number;
  /** Value of what is held of the coin; 0 where it has no price. */
  readonly held: number;
}

/** A linear piece of a curve. */
export interface Piece {
  readonly low: number;
  readonly high: number;
  readonly least: Line;
  readonly expected: Line;
  readonly fee?: EdgeFee | undefined;
}

interface Line {
  readonly base: number;
  readonly rate: number;
}

/** What a line brings for `send`. */
export const valueAt = ({ base, rate }: Line, send: number): number => base + rate * send;

/** Stands in for a second point, as if there were no fixed fee. */
const ORIGIN: CurvePoint = { send: 0, least: 0, expected: 0 };
/** Points closer together, as a share of what is sent, differ by rounding alone. */
const POINT_EPSILON = 1e-3;
/** A line may bring this share of its rounding for nothing. */
const GIFT_EPSILON = 1e-3;
/** Fees that differ by a smaller share are equal: a base fee changes by up to an eighth a block. */
const FEE_TOLERANCE = 0.25;
/** A line is extended by two points whose amounts have at least this ratio. */
const SPREAD_MIN = 1.25;
/** A minimum or maximum that a route does not name is searched in steps of this factor. */
export const STEP = 1.25;
/** A transfer has to bring more than this share of the value that it sends. */
export const ARRIVAL_MIN = 0.01;

/**
 * The known offers of an edge, with straight lines between and beyond them. It only decides which
 * amounts are requested next: plans are made of real offers.
 */
export class Curve {
  /** The most that the route takes. */
  maximum = Infinity;
  /** The least that it takes, as far as that was named. */
  #least: number;
  /** The most that was rejected as too little without a named minimum. */
  #rejected = 0;
  #points: CurvePoint[] = [];

  constructor(minimum: number) {
    this.#least = minimum;
  }

  /** The least that the route takes, as far as known. */
  get minimum(): number {
    return Math.max(this.#least, this.#rejected * STEP);
  }

  /** The route named a minimum. */
  raiseMinimum(least: number): void {
    this.#least = Math.max(this.#least, least);
  }

  /** The route rejected an amount as too little and named no minimum. */
  rejectAsTooLittle(asked: number): void {
    this.#rejected = Math.max(this.#rejected, asked);
  }

  get hasOnePoint(): boolean {
    return this.#points.length === 1;
  }

  /** False as long as no amount is known that the route takes. */
  get isUsable(): boolean {
    return this.#points.length > 0 && this.minimum <= this.maximum;
  }

  add(point: CurvePoint): void {
    const others = this.#points.filter(
      ({ send }) => Math.abs(send - point.send) > POINT_EPSILON * point.send,
    );
    this.#points = [...others, point].toSorted((a, b) => a.send - b.send);
  }

  /** The curve up to `sendMax`; points that are off a line by less than `epsilon` are on it. */
  pieces(sendMax: number, epsilon: number): readonly Piece[] {
    if (!this.isUsable) return [];
    const corners = this.#corners(epsilon);
    const maximum = Math.min(this.maximum, sendMax);
    const pieces = corners.slice(1).map((high, at) => pieceOf(corners[at], high));
    return this.#extended(pieces)
      .flatMap((piece) => this.#withoutFreeValue(piece, epsilon * GIFT_EPSILON))
      .map((piece) => ({ ...piece, fee: this.#feeOf(piece) }))
      .map((piece) => clipped(piece, this.#minimumOf(piece), maximum))
      .filter(({ low, high }) => low <= high);
  }

  /** The highest fee of the offers in a piece; in a piece without offers, that of the largest offer. */
  #feeOf({ low, high }: Piece): EdgeFee | undefined {
    const inside = this.#points.filter(({ send }) => send > low && send <= high);
    const points = inside.length > 0 ? inside : this.#points.slice(-1);
    const fees = points.flatMap(({ fee }) => fee ?? []);
    const [first] = fees;
    if (first === undefined) return undefined;
    return {
      coin: first.coin,
      value: Math.max(...fees.map(({ value }) => value)),
      most: Math.max(...fees.map(({ most }) => most)),
      share: Math.max(...fees.map(({ share }) => share)),
      held: Math.min(...fees.map(({ held }) => held)),
    };
  }

  /**
   * Where a fixed fee explains the rejections as too little, the line gives the exact minimum; else
   * it is searched in steps, which may pass over amounts that the route takes.
   */
  #minimumOf(piece: Piece): number {
    const breakEven = breakEvenOf(piece);
    const isExplained = breakEven > this.#rejected;
    return Math.max(breakEven, isExplained ? this.#least : this.minimum);
  }

  /**
   * Below the smallest offer, a line that brings something for nothing, as after a price change
   * between two offers, is replaced by one through the origin.
   */
  #withoutFreeValue(piece: Piece, epsilon: number): readonly Piece[] {
    const [lowest] = this.#points;
    const isGift = piece.low === 0 && Math.max(piece.least.base, piece.expected.base) > epsilon;
    if (!isGift || lowest === undefined) return [piece];
    const below = { ...pieceOf(ORIGIN, lowest), low: 0, high: lowest.send };
    return piece.high > lowest.send ? [below, { ...piece, low: lowest.send }] : [below];
  }

  /** The points without those on a line between others. */
  #corners(epsilon: number): readonly CurvePoint[] {
    const points = this.#points.length === 1 ? [ORIGIN, ...this.#points] : this.#points;
    const corners = points.slice(0, 1);
    for (let at = 0; at < points.length - 1;) {
      let next = at + 1;
      while (next + 1 < points.length && isStraight(points.slice(at, next + 2), epsilon)) next += 1;
      corners.push(points[next]);
      at = next;
    }
    return corners;
  }

  /** Extends the first and the last piece beyond the known offers. */
  #extended(pieces: readonly Piece[]): readonly Piece[] {
    const points = this.#points;
    const [first, last] = [pieces[0], pieces.at(-1)];
    if (first === undefined || last === undefined) return pieces;
    if (pieces.length === 1) return [{ ...first, low: 0, high: Infinity }];
    const [lowest, highest] = [points[0], points.at(-1) ?? ORIGIN];
    const right = points.find(({ send }) => send >= SPREAD_MIN * lowest.send) ?? highest;
    const left = points.findLast(({ send }) => send * SPREAD_MIN <= highest.send) ?? lowest;
    const below = { ...pieceOf(lowest, right), low: 0, high: lowest.send };
    const above = { ...pieceOf(left, highest), low: highest.send, high: Infinity };
    const isWide = first.high >= right.send && last.low <= left.send;
    if (!isWide) return [below, ...pieces, above];
    return [{ ...first, low: 0 }, ...pieces.slice(1, -1), { ...last, high: Infinity }];
  }
}

const pieceOf = (low: CurvePoint, high: CurvePoint): Piece => ({
  low: low.send,
  high: high.send,
  least: lineOf([low.send, low.least], [high.send, high.least]),
  expected: lineOf([low.send, low.expected], [high.send, high.expected]),
});

function lineOf([x, y]: readonly [number, number], [toX, toY]: readonly [number, number]): Line {
  const rate = (toY - y) / (toX - x);
  return { base: toY - rate * toX, rate };
}

/** The amount from which a piece brings more than `ARRIVAL_MIN` of what it is sent. */
function breakEvenOf({ least: { base, rate }, fee }: Piece): number {
  const fixed = (fee?.value ?? 0) - base;
  if (fixed <= 0) return 0;
  return rate > ARRIVAL_MIN ? (fixed / (rate - ARRIVAL_MIN)) * (1 + 1e-9) : Infinity;
}

/** The part of a piece within bounds; empty where more would bring less. */
const clipped = (piece: Piece, minimum: number, maximum: number): Piece => ({
  ...piece,
  low: Math.max(piece.low, minimum),
  high: piece.least.rate > 0 ? Math.min(piece.high, maximum) : -Infinity,
});

function isStraight(points: readonly CurvePoint[], epsilon: number): boolean {
  const { least, expected } = pieceOf(points[0], points.at(-1) ?? ORIGIN);
  const [first, ...others] = points.slice(points[0] === ORIGIN ? 1 : 0);
  if (!others.every((other) => isSameFee(first?.fee, other.fee, epsilon))) return false;
  return points.every(
    (point) =>
      Math.abs(valueAt(least, point.send) - point.least) <= epsilon &&
      Math.abs(valueAt(expected, point.send) - point.expected) <= epsilon,
  );
}

function isSameFee(one: EdgeFee | undefined, other: EdgeFee | undefined, epsilon: number): boolean {
  if (one === undefined || other === undefined) return one === other;
  const near = (a: number, b: number, least: number): boolean =>
    Math.abs(a - b) <= Math.max(least, FEE_TOLERANCE * Math.max(a, b));
  return near(one.value, other.value, epsilon) && near(one.share, other.share, 0);
}
