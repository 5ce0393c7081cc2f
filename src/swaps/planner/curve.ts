/** What a route brings for what it is sent, in worth. */
export interface CurvePoint {
  readonly send: number;
  readonly least: number;
  readonly expected: number;
  readonly fee?: EdgeFee | undefined;
}

/** What a network takes beside what is sent, whatever that is. */
export interface EdgeFee {
  /** Name of the holding of the coin that pays for it. */
  readonly coin: string;
  /** What is expected and what it is at the most, in worth; 0 where the coin has no price. */
  readonly value: number;
  readonly most: number;
  /** The most of it, as a part of what there is of the coin. */
  readonly share: number;
  /** What there is of the coin, in worth; 0 where it has no price. */
  readonly held: number;
}

/** A stretch of a curve that is straight: what is brought is `base + rate * send`. */
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

/** Where no amount was asked for yet that would show a fixed fee, nothing is taken for one. */
const NOTHING: CurvePoint = { send: 0, least: 0, expected: 0 };
/** Points that are nearer to each other, as a part of what is sent, show what was rounded off. */
const NEAR = 1e-3;
/** What is brought for nothing by less than this part of what is off a line is rounded off too. */
const HAIRS = 1e-3;
/**
 * Fees that differ by less than this part of them are one: a base fee transfers by an eighth each
 * block.
 */
const SAME_FEE = 0.25;
/** Lines go on beyond what is known by points that are so far apart. */
const APART = 1.25;
/** A least amount that a route does not name is looked for in steps of this. */
export const STEP = 1.25;
/** What arrives is worth more than this part of what is sent: money is not burned. */
export const ARRIVES = 0.01;

/**
 * What is known of the offers on one pair of holdings by one route, with straight lines between and
 * beyond them. It only steers which amounts are asked for: what is found is judged by real offers.
 */
export class Curve {
  /** More is not taken. */
  maximum = Infinity;
  /** Less is not taken, for certain. */
  #least: number;
  /** As much was refused as too little, without the least that is taken. */
  #rejected = 0;
  #points: CurvePoint[] = [];

  constructor(minimum: number) {
    this.#least = minimum;
  }

  /** Less is not taken, as far as that is known; in worth. */
  get minimum(): number {
    return Math.max(this.#least, this.#rejected * STEP);
  }

  /** Less than this is not taken. */
  confine(least: number): void {
    this.#least = Math.max(this.#least, least);
  }

  /** So much was too little, and how much is enough is not said. */
  refuse(asked: number): void {
    this.#rejected = Math.max(this.#rejected, asked);
  }

  /** True where one offer is all that is known. */
  get isLone(): boolean {
    return this.#points.length === 1;
  }

  /** False as long as nothing is known that could be moved. */
  get isOpen(): boolean {
    return this.#points.length > 0 && this.minimum <= this.maximum;
  }

  learn(point: CurvePoint): void {
    const others = this.#points.filter(
      ({ send }) => Math.abs(send - point.send) > NEAR * point.send,
    );
    this.#points = [...others, point].toSorted((a, b) => a.send - b.send);
  }

  /** The curve up to `most`; points that are off a line by less than `hair` are taken to be on it. */
  pieces(most: number, hair: number): readonly Piece[] {
    if (!this.isOpen) return [];
    const corners = this.#corners(hair);
    const top = Math.min(this.maximum, most);
    const pieces = corners.slice(1).map((high, at) => pieceOf(corners[at] ?? NOTHING, high));
    return this.#reaching(pieces)
      .flatMap((piece) => this.#withoutGift(piece, hair * HAIRS))
      .map((piece) => ({ ...piece, fee: this.#feeOf(piece) }))
      .map((piece) => clipped(piece, this.#minimumOf(piece), top))
      .filter(({ low, high }) => low <= high);
  }

  /** The dearest fee of the offers in a piece; beyond them all, that of the largest. */
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
   * Where the fee explains why so much was refused, the line says how much is enough; else that is
   * looked for in steps, which may pass over amounts that would do.
   */
  #minimumOf(piece: Piece): number {
    const worthwhile = worthwhileOf(piece);
    const isExplained = worthwhile > this.#rejected;
    return Math.max(worthwhile, isExplained ? this.#least : this.minimum);
  }

  /**
   * Below the least that is known, a line that would bring something for nothing, as where prices
   * have moved between two offers, ends; nothing brings nothing there.
   */
  #withoutGift(piece: Piece, hair: number): readonly Piece[] {
    const [lowest] = this.#points;
    const isGift = piece.low === 0 && Math.max(piece.least.base, piece.expected.base) > hair;
    if (!isGift || lowest === undefined) return [piece];
    const below = { ...pieceOf(NOTHING, lowest), low: 0, high: lowest.send };
    return piece.high > lowest.send ? [below, { ...piece, low: lowest.send }] : [below];
  }

  /** The points without those on the way between others. */
  #corners(hair: number): readonly CurvePoint[] {
    const points = this.#points.length === 1 ? [NOTHING, ...this.#points] : this.#points;
    const corners = points.slice(0, 1);
    for (let at = 0; at < points.length - 1;) {
      let next = at + 1;
      while (next + 1 < points.length && isStraight(points.slice(at, next + 2), hair)) next += 1;
      corners.push(points[next] ?? NOTHING);
      at = next;
    }
    return corners;
  }

  /** Lets the first and the last piece go on beyond what is known. */
  #reaching(pieces: readonly Piece[]): readonly Piece[] {
    const points = this.#points;
    const [first, last] = [pieces[0], pieces.at(-1)];
    if (first === undefined || last === undefined) return pieces;
    if (pieces.length === 1) return [{ ...first, low: 0, high: Infinity }];
    const [lowest, highest] = [points[0] ?? NOTHING, points.at(-1) ?? NOTHING];
    const right = points.find(({ send }) => send >= APART * lowest.send) ?? highest;
    const left = points.findLast(({ send }) => send * APART <= highest.send) ?? lowest;
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

/** From here on a piece brings more than next to nothing of what it is sent. */
function worthwhileOf({ least: { base, rate }, fee }: Piece): number {
  const fixed = (fee?.value ?? 0) - base;
  if (fixed <= 0) return 0;
  return rate > ARRIVES ? (fixed / (rate - ARRIVES)) * (1 + 1e-9) : Infinity;
}

/** What of a piece lies within bounds and brings anything at all. */
const clipped = (piece: Piece, minimum: number, maximum: number): Piece => ({
  ...piece,
  low: Math.max(piece.low, minimum),
  high: piece.least.rate > 0 ? Math.min(piece.high, maximum) : -Infinity,
});

function isStraight(points: readonly CurvePoint[], hair: number): boolean {
  const { least, expected } = pieceOf(points[0] ?? NOTHING, points.at(-1) ?? NOTHING);
  const [first, ...others] = points.slice(points[0] === NOTHING ? 1 : 0);
  if (!others.every((other) => isSameFee(first?.fee, other.fee, hair))) return false;
  return points.every(
    (point) =>
      Math.abs(least.base + least.rate * point.send - point.least) <= hair &&
      Math.abs(expected.base + expected.rate * point.send - point.expected) <= hair,
  );
}

function isSameFee(one: EdgeFee | undefined, other: EdgeFee | undefined, hair: number): boolean {
  if (one === undefined || other === undefined) return one === other;
  const near = (a: number, b: number, least: number): boolean =>
    Math.abs(a - b) <= Math.max(least, SAME_FEE * Math.max(a, b));
  return near(one.value, other.value, hair) && near(one.share, other.share, 0);
}
