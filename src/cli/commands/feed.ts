import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { checkCommand } from './feed-check.ts';
import { downloadCommand } from './feed-download.ts';
import { generateCommand } from './feed-generate.ts';
import { importCommand } from './feed-import.ts';
import { inspectCommand } from './feed-inspect.ts';
import { publishCommand } from './feed-publish.ts';
import { recoverCommand } from './feed-recover.ts';
import { splitCommand } from './feed-split.ts';

/** `millrace feed`: everything about recordings, and live feeds for many bots. */
export const feedCommand = (terminal: Terminal): Command =>
  new Command('feed')
    .description(
      'Download, import, inspect, check, generate, recover and split recordings; publish a live feed.',
    )
    .addCommand(downloadCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(inspectCommand(terminal))
    .addCommand(checkCommand(terminal))
    .addCommand(generateCommand(terminal))
    .addCommand(recoverCommand(terminal))
    .addCommand(splitCommand(terminal))
    .addCommand(publishCommand(terminal));
