import { readdirSync, readFileSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { defineConfig, type OutputChunk, type Plugin } from 'rolldown';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

const { dependencies, peerDependencies } = manifestIn('.');

/** What users install stays outside; other packages that the sources import become part of the build. */
const INSTALLED = Object.keys({ ...dependencies, ...peerDependencies });

const DOORS = [
  ...[
    'src/index',
    'src/testing',
    'src/clients',
    'src/backtest',
    'src/feeds',
    'src/gateway',
    'src/cli/main',
  ],
  // What threads start with: of a sweep, and of a backtest that is watched.
  'src/research/sweep/worker',
  'src/cli/watch/thread',
];
/** What strategies get for rxjs: as entries, whose names are all kept for whoever imports them. */
const FOR_STRATEGIES = ['src/modules/rxjs/rxjs', 'src/modules/rxjs/operators'];
const STRATEGIES = readdirSync('strategies').map((file) => `strategies/${parse(file).name}`);

/** Keeps the licenses of the packages that become part of the build beside it, as they ask for. */
const licenses: Plugin = {
  name: 'licenses',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((one): one is OutputChunk => one.type === 'chunk');
    const folders = chunks
      .flatMap(({ moduleIds }) => moduleIds)
      .map((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(id)?.[0])
      .filter((folder) => folder !== undefined);
    const source = [...new Set([...folders, resolve(CHARTS)])].sort().map(licenseIn).join('\n');
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source });
  },
};

const CHARTS = 'node_modules/lightweight-charts';

/** The one script of the chart library that a report page needs; the rest of it is 3 MB. */
const chartLibrary: Plugin = {
  name: 'chart-library',
  generateBundle() {
    const path = join(CHARTS, 'dist', 'lightweight-charts.standalone.production.js');
    this.emitFile({ type: 'asset', fileName: 'chart-library.js', source: readFileSync(path) });
  },
};

function licenseIn(folder: string): string {
  const { name, version } = manifestIn(folder);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no license to ship: ${folder}`);
  const text = readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version}\n\n${text}\n\n${'-'.repeat(80)}\n`;
}

export default defineConfig({
  input: Object.fromEntries(
    [...DOORS, ...FOR_STRATEGIES, ...STRATEGIES].map((path) => [path, `${path}.ts`]),
  ),
  platform: 'node',
  external: INSTALLED.map((name) => new RegExp(`^${name}(/|$)`)),
  // In a strategy `millrace` means the sources, so that one chunk serves it and the commands.
  resolve: { conditionNames: ['millrace-source', 'import', 'node', 'default'] },
  plugins: [licenses, chartLibrary],
  output: {
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
    // The sources are part of the package.
    sourcemapExcludeSources: true,
  },
});
