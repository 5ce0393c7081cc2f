import { Argument, Command } from 'commander';
import type { Shell } from '../actions/completion.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace completion`: the shell script of the completion, and the completions it requests. */
export const completionCommand = (terminal: Terminal): Command =>
  new Command('completion')
    .description('Print the script that lets a shell complete command lines.')
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .argument('[words...]', 'after --: print what the last word of such a line can be')
    .addHelpText(
      'after',
      `
Examples:
  source <(millrace completion bash)       in ~/.bashrc
  source <(millrace completion zsh)        in ~/.zshrc, after compinit
  millrace completion fish | source        in ~/.config/fish/config.fish`,
    )
    .action(async (shell: Shell, words: readonly string[], _: object, command: Command) => {
      const { completion } = await import('../actions/completion.ts');
      await completion(shell, words, command.parent ?? command, terminal);
    });
