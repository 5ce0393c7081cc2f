/** The normal distribution, to about the last digits of a double. */

/** Most terms of a series or continued fraction; both need far fewer. */
const TERMS_MAX = 500;
/** From here on the continued fraction is faster and more exact than the series. */
const TAIL = 3;

const density = (x: number): number => Math.exp(-(x ** 2) / 2) / Math.sqrt(2 * Math.PI);

/** Φ(x), the share of a standard normal distribution that is at most `x`. */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  if (x > TAIL) return 1 - upperTail(x);
  if (x < -TAIL) return upperTail(-x);
  // Φ(x) = 1/2 + φ(x) (x + x³/3 + x⁵/(3·5) + …)
  let term = x;
  let sum = x;
  for (let n = 1; n < TERMS_MAX && Math.abs(term) > 1e-18; n += 1) {
    term *= x ** 2 / (2 * n + 1);
    sum += term;
  }
  return 0.5 + density(x) * sum;
}

/** 1 − Φ(x) for large x: Laplace's continued fraction, from its end. */
function upperTail(x: number): number {
  if (x > 40) return 0;
  let rest = x;
  for (let n = 100; n > 0; n -= 1) rest = x + n / rest;
  return density(x) / rest;
}

/**
 * Φ⁻¹(p): by bisection and Newton's steps within the bracket, to every digit. ∓∞ at 0 and 1, NaN
 * outside.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 1) return Number.POSITIVE_INFINITY;
  let [low, high] = [-40, 40];
  let x = 0;
  for (let step = 0; step < 200; step += 1) {
    const error = normalCdf(x) - p;
    if (error > 0) high = x;
    else low = x;
    const newton = x - error / density(x);
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) < 1e-15 * Math.max(1, Math.abs(x))) return next;
    x = next;
  }
  return x;
}
