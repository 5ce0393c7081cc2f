import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';

export const MAY_IMPORT: Readonly<Record<string, readonly string[]>>;
export const DOORS: Readonly<Record<string, readonly string[]>>;
export const BUNDLED: readonly string[];

declare const config: {
  readonly forbidden: IForbiddenRuleType[];
  readonly options: ICruiseOptions;
};
export default config;
