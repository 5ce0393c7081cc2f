/**
 * What each folder of src may import, lowest first. Whatever is not listed is forbidden, type
 * imports too. docs/architecture.md shows the same table.
 */
export const MAY_IMPORT = {
  platform: [],
  model: ['platform'],
  config: ['platform', 'model'],
  messaging: ['platform', 'model'],
  rules: ['platform', 'model'],
  wire: ['model'],
  exchange: ['platform', 'model', 'rules'],
  swaps: ['platform', 'model', 'rules', 'exchange'],
  feeds: ['platform', 'model'],
  strategy: ['platform', 'model', 'config', 'rules'],
  modules: ['platform', 'model', 'config', 'strategy'],
  engine: ['platform', 'model', 'rules', 'strategy'],
  risk: ['platform', 'model', 'rules', 'strategy', 'engine'],
  gateways: [
    ...['platform', 'model', 'messaging', 'rules', 'wire', 'exchange', 'swaps'],
    ...['strategy', 'engine'],
  ],
  server: ['platform', 'model', 'rules', 'wire', 'exchange', 'swaps', 'feeds'],
  backtest: [
    ...['platform', 'model', 'config', 'rules', 'exchange', 'swaps'],
    ...['feeds', 'strategy', 'engine', 'risk', 'gateways'],
  ],
  research: [
    ...['platform', 'model', 'config', 'rules', 'wire', 'exchange', 'swaps'],
    ...['feeds', 'strategy', 'modules', 'engine', 'risk', 'gateways', 'backtest', 'messaging'],
  ],
  bot: [
    ...['platform', 'model', 'config', 'rules', 'wire', 'exchange', 'swaps'],
    ...['feeds', 'strategy', 'engine', 'risk', 'gateways', 'server', 'backtest', 'messaging'],
  ],
  cli: [
    ...['platform', 'model', 'config', 'rules', 'wire', 'exchange', 'swaps'],
    ...['feeds', 'strategy', 'modules', 'engine', 'risk', 'gateways', 'server', 'backtest'],
    ...['messaging', 'research', 'bot'],
  ],
};

/**
/**
 * The folders inside a folder of `src`, lowest first: each imports from those before it, so that no two
 * import each other. `.` are the files of the folder itself.
 */
export const ORDER_INSIDE = {
  engine: ['market', 'orders', 'commands', 'account', 'managed-orders', '.', 'test-kit'],
  exchange: [
    ...['queues', 'ledger', 'orders', 'book', 'recorded', 'market-data', 'positions', 'wallet'],
    ...['state', 'clearing', 'stages', 'margin', 'requests', '.'],
  ],
  bot: [
    ...[
      'settings',
      'logs',
      'api',
      'notifications',
      'control',
      'journal',
      'doctor',
      'paper',
      'recorder',
    ],
    ...['recovery', 'risk', 'connection', 'account', 'rebalancing', 'strategy', 'operation', '.'],
  ],
};

/** The doors of the package: files of src itself, and what each re-exports from. */
export const DOORS = {
  'index.ts': ['platform', 'model', 'strategy'],
  'testing.ts': [
    'platform',
    'model',
    'exchange',
    'feeds',
    'strategy',
    'engine',
    'gateways',
    'backtest',
  ],
  'clients.ts': ['platform', 'model', 'wire', 'swaps', 'gateways'],
  'backtest.ts': ['model', 'strategy', 'backtest', 'research'],
  'feeds.ts': ['model', 'feeds'],
  'gateway.ts': ['platform', 'model', 'strategy', 'engine', 'gateways'],
};

/** Folders that import no node module and no package but these. */
export const PURE = { folders: ['model', 'rules', 'exchange'], packages: ['decimal.js'] };

/** Folders that reach no file, socket or process: they import packages, but no node module. */
export const NO_NODE = ['strategy', 'engine'];

/** Files that reach the process: for those who start a run, not for those inside it. */
export const PROCESS = [
  'platform/compiler.ts',
  'platform/interruption.ts',
  'platform/own-file.ts',
  'platform/process-lock.ts',
  'platform/system-scheduler.ts',
  'platform/system-random.ts',
  'config/document.ts',
  'config/small-file.ts',
];

/** Light files that the grammar of commands may import: tables that their help shows. */
export const GRAMMAR = [
  'cli/keys/flags.ts',
  'feeds/importers/formats.ts',
  'feeds/quality/checks.ts',
  'feeds/synthetic/parameters.ts',
  'feeds/synthetic/sample.ts',
  'model/period.ts',
  'platform/time.ts',
  'research/export/forms.ts',
];

/**
 * Development packages that become part of the build, so that users do not install them: those that
 * every command loads, which start faster as one file, and those that bring much for little code.
 */
export const BUNDLED = [
  '@modelcontextprotocol/server',
  '@prometheus-io/client',
  'cli-table3',
  'commander',
  'lightweight-charts',
  'simple-statistics',
  'trading-signals',
  'yaml',
];

const HOME = '^(src|strategies|test|bench)/';
const escape = (text) => text.replaceAll('.', '\\.');
const oneOf = (names) => `(${names.map(escape).join('|')})`;
const packages = (names) => `(^|/)node_modules/${oneOf(names)}/`;

const folderRules = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  name: `imports-of-${folder}`,
  comment: `src/${folder}/ may import from ${allowed.join(', ') || 'no other folder'} only.`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: HOME, pathNot: `^src/${oneOf([folder, ...allowed])}/` },
}));

const doorRules = Object.entries(DOORS).map(([file, allowed]) => ({
  name: `imports-of-${file.replace('.ts', '') in MAY_IMPORT ? 'door-' : ''}${file.replace('.ts', '')}`,
  comment: `src/${file} may import from ${allowed.join(', ')} only.`,
  severity: 'error',
  from: { path: `^src/${escape(file)}$` },
  to: { path: HOME, pathNot: `^src/${oneOf(allowed)}/` },
}));

/** The files of a folder inside another, of `.` those that are in no folder there. */
const filesOf = (outer, inner) =>
  inner === '.' ? `^src/${outer}/[^/]+$` : `^src/${outer}/${inner}/`;

const orderRules = Object.entries(ORDER_INSIDE)
  .flatMap(([outer, order]) => [
    {
      name: `place-in-${outer}`,
      comment: `A folder of src/${outer} needs its place in ORDER_INSIDE.`,
      severity: 'error',
      from: { path: `^src/${outer}/`, pathNot: order.map((inner) => filesOf(outer, inner)) },
      to: {},
    },
    ...order.map((inner, index) => ({
      name: `order-of-${outer}-${inner === '.' ? 'files' : inner}`,
      comment: `${inner} of src/${outer} may import from ${order.slice(0, index).join(', ') || 'no other folder'} there.`,
      severity: 'error',
      from: { path: filesOf(outer, inner) },
      to: { path: order.slice(index + 1).map((above) => filesOf(outer, above)) },
    })),
  ])
  .filter(({ to }) => to.path === undefined || to.path.length > 0);

const STRATEGIES_SEE = ['^src/(index|testing)\\.ts$', packages(['rxjs'])];
const STRATEGY_TESTS_SEE = [
  '^src/(index|testing)\\.ts$',
  '^(strategies|test/strategies)/',
  packages(['rxjs', 'vitest', 'fast-check']),
];

const otherRules = [
  {
    name: 'folder-without-row',
    comment: 'A folder or file of src needs its row in MAY_IMPORT or DOORS.',
    from: {
      path: '^src/',
      pathNot: [`^src/${oneOf(Object.keys(MAY_IMPORT))}/`, `^src/${oneOf(Object.keys(DOORS))}$`],
    },
    to: {},
  },
  {
    name: 'nothing-imports-cli',
    comment: 'Commands are the outermost layer; what others need of them belongs further down.',
    from: { pathNot: '^(src|test)/cli/' },
    to: { path: '^src/cli/' },
  },
  {
    name: 'grammar-of-commands',
    comment:
      'Every command loads the grammar of all: import what a command does within its action, by `await import(…)`, and tables of data alone for its help.',
    from: { path: '^src/cli/commands/' },
    to: {
      pathNot: ['^src/cli/(commands|actions)/', `^src/${oneOf(GRAMMAR)}$`, packages(['commander'])],
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'actions-on-demand',
    comment: 'The actions of other commands shall not be loaded: use `await import(…)`.',
    from: { path: '^src/cli/', pathNot: '^src/cli/actions/' },
    to: { path: '^src/cli/actions/', dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'pure-core',
    comment: `${PURE.folders.join(', ')} import no node module and no package but ${PURE.packages.join(', ')}.`,
    from: { path: `^src/${oneOf(PURE.folders)}/` },
    to: { pathNot: ['^src/', packages(PURE.packages)] },
  },
  {
    name: 'no-node-modules',
    comment: `${NO_NODE.join(', ')} reach no file, socket or process: hand in what they need.`,
    from: { path: `^src/${oneOf(NO_NODE)}/` },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'no-process',
    comment: `${[...PURE.folders, ...NO_NODE].join(', ')} take clock and files as arguments.`,
    from: { path: `^src/${oneOf([...PURE.folders, ...NO_NODE])}/` },
    to: { path: `^src/${oneOf(PROCESS)}$` },
  },
  {
    name: 'imports-of-strategies',
    comment: "A strategy imports from 'millrace', 'millrace/testing' and 'rxjs' only.",
    from: { path: '^strategies/' },
    to: { pathNot: STRATEGIES_SEE },
  },
  {
    name: 'imports-of-strategy-tests',
    comment:
      "Tests of strategies import the strategy, 'millrace', 'millrace/testing' and the test tools.",
    from: { path: '^test/strategies/' },
    to: { pathNot: STRATEGY_TESTS_SEE },
  },
  {
    name: 'no-cycle',
    comment: 'Move what both need into a file of its own.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'resolvable',
    comment: 'The import leads nowhere.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'declared-packages',
    comment:
      'What ships imports only packages of dependencies or peerDependencies in package.json, and those of BUNDLED.',
    from: { path: '^(src|strategies)/' },
    // A peer is a development dependency too: that pins the version that the tests run with.
    to: {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
      dependencyTypesNot: ['npm', 'npm-peer'],
      pathNot: packages(BUNDLED),
    },
  },
].map((rule) => ({ severity: 'error', ...rule }));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...folderRules, ...doorRules, ...orderRules, ...otherRules],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['millrace-source', 'import', 'node', 'default', 'types'],
    },
  },
};
