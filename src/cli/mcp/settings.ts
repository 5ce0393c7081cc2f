import type { ControlSettings } from '../../bot/control/settings.ts';
import type { BotStatus } from '../../bot/api/bot-api.ts';
import type { Bounds } from './bounds.ts';
import type { Jobs } from './jobs.ts';

/** Settings of the server. */
export interface McpParts {
  readonly bounds: Bounds;
  readonly jobs: Jobs;
  /** The bot that may be read. */
  readonly bot?: ControlSettings | undefined;
  /** The mode of a bot that may be operated. */
  readonly allow?: BotStatus['mode'] | undefined;
}
