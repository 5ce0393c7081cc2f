import type { ControlSettings } from '../../bot/control/settings.ts';
import type { BotStatus } from '../../bot/api/bot-api.ts';
import type { Bounds } from './bounds.ts';
import type { Jobs } from './jobs.ts';

/** What a person gave the server to work with when it was started. */
export interface McpParts {
  readonly bounds: Bounds;
  readonly jobs: Jobs;
  /** The bot that may be looked at. */
  readonly bot?: ControlSettings | undefined;
  /** The mode of bot that may be acted on. */
  readonly allow?: BotStatus['mode'] | undefined;
}
