import { MOMENTUM_REFERENCES } from './momentum-references.ts';
import type { Reference } from './formulas.ts';
import { TREND_REFERENCES } from './trend-references.ts';
import { VOLATILITY_REFERENCES } from './volatility-references.ts';

/** Each indicator a second time, from its definition over whole series. */
export const REFERENCES: Readonly<Record<string, Reference>> = {
  ...MOMENTUM_REFERENCES,
  ...TREND_REFERENCES,
  ...VOLATILITY_REFERENCES,
};
