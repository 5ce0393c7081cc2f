import type { Faults } from '../faults/faults.ts';
import type { TradingService } from '../trading/service.ts';
import type { AdminCall } from './call.ts';
import { chainCalls } from './chains.ts';
import { depositCalls } from './deposits.ts';
import { faultCalls } from './faults.ts';
import { giftCalls } from './gifts.ts';
import { memberCalls } from './members.ts';
import { symbolCalls } from './symbols.ts';

/** All calls for the owner of a venue. */
export const adminCalls = (
  service: TradingService,
  faults: Faults | undefined,
): readonly AdminCall[] => [
  ...memberCalls(service),
  ...depositCalls(service),
  ...giftCalls(service),
  ...symbolCalls(service),
  ...chainCalls(service),
  ...(faults === undefined ? [] : faultCalls(faults)),
];
