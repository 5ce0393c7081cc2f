/**
 * Warnings of Node that no user can act on: that its SQLite, up to 24.14, and its parser of TypeScript are
 * experimental, which the tests prove to work, and that a strategy is no module, which the error explains.
 */
const HIDDEN: readonly (readonly [name: string, start: string])[] = [
  ['ExperimentalWarning', 'SQLite '],
  ['ExperimentalWarning', 'stripTypeScriptTypes '],
  ['Warning', 'Failed to load the ES module: '],
];

/** Suppresses these warnings of Node. */
export function hideWarnings(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    const { name, message } = warning;
    if (HIDDEN.some(([kind, start]) => name === kind && message.startsWith(start))) return;
    for (const print of printers) print(warning);
  });
}
