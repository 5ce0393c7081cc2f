import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Preloaded by a process that is to tell which modules it loads: `node --import` this file. At its
// end it writes their URLs, a line each, to the file that LOADED_MODULES names.

const loaded = new Set<string>();

registerHooks({
  load(url, context, next) {
    loaded.add(url);
    return next(url, context);
  },
});

process.on('exit', () => {
  writeFileSync(process.env['LOADED_MODULES'] ?? '', [...loaded].join('\n'));
});
