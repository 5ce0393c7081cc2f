/**
 * Keeps Node from calling its SQLite experimental, as it does up to 24.14 whenever a journal is
 * loaded: nobody who trades can act on it, and the tests of journals pass on those versions.
 */
export function hideSqliteWarning(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === 'ExperimentalWarning' && warning.message.startsWith('SQLite ')) return;
    for (const print of printers) print(warning);
  });
}
