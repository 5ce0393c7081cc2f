import { defineConfig, type DummyRuleMap } from 'oxlint';

const USE_CLOCK = 'Take a Scheduler (src/platform/scheduler.ts) as an argument and read its now().';
const USE_TIMER = 'Take a Scheduler (src/platform/scheduler.ts) as an argument and call its at().';
const USE_RANDOM = 'Take a seeded Random (src/platform/random.ts) as an argument.';

/** Globals that read the clock, set a timer or draw by chance, each with what to use instead. */
const GLOBALS = [
  { name: 'performance', message: USE_CLOCK },
  { name: 'setTimeout', message: USE_TIMER },
  { name: 'setInterval', message: USE_TIMER },
  { name: 'setImmediate', message: USE_TIMER },
  { name: 'queueMicrotask', message: USE_TIMER },
  { name: 'scheduler', message: USE_TIMER },
];

/** Globals that reach the world, for folders whose code is a function of what it is given. */
const WORLD = ['process', 'fetch', 'WebSocket', 'EventSource', 'BroadcastChannel'].map((name) => ({
  name,
  message: 'What runs inside a run reaches no process, network or file: take it as an argument.',
}));

const PROPERTIES = [
  { object: 'Date', property: 'now', message: USE_CLOCK },
  { object: 'Temporal', property: 'Now', message: USE_CLOCK },
  { object: 'process', property: 'hrtime', message: USE_CLOCK },
  { object: 'process', property: 'uptime', message: USE_CLOCK },
  { object: 'process', property: 'nextTick', message: USE_TIMER },
  { object: 'AbortSignal', property: 'timeout', message: USE_TIMER },
  { object: 'Math', property: 'random', message: USE_RANDOM },
  ...['randomUUID', 'getRandomValues', 'randomBytes', 'randomInt', 'randomFill'].map(
    (property) => ({ object: 'crypto', property, message: USE_RANDOM }),
  ),
];

const modules = (names: readonly string[], message: string, importNames?: string[]) =>
  names
    .flatMap((name) => [name, `node:${name}`])
    .map((name) =>
      importNames === undefined ? { name, message } : { name, message, importNames },
    );

const MODULES = [
  ...modules(['timers', 'timers/promises'], USE_TIMER),
  ...modules(['perf_hooks'], USE_CLOCK),
  ...modules(['process'], USE_CLOCK, ['hrtime', 'uptime', 'nextTick']),
  ...modules(['crypto'], USE_RANDOM, [
    'randomUUID',
    'getRandomValues',
    'randomBytes',
    'randomInt',
    'randomFill',
    'randomFillSync',
    'webcrypto',
    'default',
  ]),
];

const STRATEGY_IMPORTS = {
  regex: '^(\\.\\.?/(.*/)?src(/|$)|\\./)',
  message: "A strategy imports from 'millrace', 'millrace/testing' and 'rxjs' only.",
};

const restrictedGlobals = (
  globals: readonly { name: string; message: string }[],
): [
  'error',
  {
    globals: { name: string; message: string }[];
    checkGlobalObject: true;
    globalObjects: string[];
  },
] => ['error', { globals: [...globals], checkGlobalObject: true, globalObjects: ['global'] }];

const errors = (names: string): DummyRuleMap =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, 'error']));

/** Faults beyond what oxlint calls correctness. */
const FAULTS = errors(`eqeqeq no-array-constructor no-case-declarations no-empty no-fallthrough
  no-prototype-builtins no-redeclare no-regex-spaces no-unexpected-multiline no-useless-constructor
  no-var prefer-const prefer-rest-params prefer-spread preserve-caught-error`);

/** The presets strict and stylistic of typescript-eslint, with types. */
const TYPED = errors(
  [
    'adjacent-overload-signatures array-type ban-ts-comment ban-tslint-comment',
    'consistent-generic-constructors consistent-indexed-object-style consistent-type-assertions',
    'consistent-type-imports no-confusing-non-null-assertion no-deprecated no-dynamic-delete',
    'no-empty-object-type no-explicit-any no-extraneous-class no-generated-empty-object-type',
    'no-inferrable-types no-misused-promises no-mixed-enums no-namespace',
    'no-non-null-asserted-nullish-coalescing no-non-null-assertion no-require-imports',
    'no-unnecessary-boolean-literal-compare no-unnecessary-template-expression',
    'no-unnecessary-type-arguments no-unnecessary-type-assertion no-unnecessary-type-constraint',
    'no-unnecessary-type-conversion no-unsafe-argument no-unsafe-assignment no-unsafe-call',
    'no-unsafe-enum-comparison no-unsafe-function-type no-unsafe-member-access no-unsafe-return',
    'non-nullable-type-assertion-style only-throw-error prefer-find prefer-function-type',
    'prefer-includes prefer-literal-enum-member prefer-nullish-coalescing',
    'prefer-promise-reject-errors prefer-reduce-type-parameter prefer-regexp-exec',
    'prefer-return-this-type prefer-string-starts-ends-with related-getter-setter-pairs',
    'use-unknown-in-catch-callback-variable',
  ]
    .join(' ')
    .replaceAll(/\S+/g, 'typescript/$&'),
);

export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: ['./oxlint.rules.js'],
  categories: { correctness: 'error' },
  // One pass checks types and lints: both need the same program.
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist/', 'coverage/', 'runs/', 'docs/api/'],
  rules: {
    ...FAULTS,
    'no-console': 'error',
    'no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
    ],
  },
  overrides: [
    {
      files: ['**/*.ts'],
      rules: {
        ...TYPED,
        'millrace/no-enum': 'error',
        // The compiler knows what overloads and declarations may share.
        'no-redeclare': 'off',
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        'typescript/restrict-plus-operands': ['error', { allowNumberAndString: true }],
        'typescript/restrict-template-expressions': [
          'error',
          { allowNumber: true, allowBoolean: true, allowNullish: false },
        ],
        'typescript/switch-exhaustiveness-check': [
          'error',
          { considerDefaultExhaustiveForUnions: true },
        ],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        // Taste, or right where what is sorted is text by another type.
        'typescript/no-misused-spread': 'off',
        'typescript/require-array-sort-compare': 'off',
      },
    },
    {
      files: ['**/*.ts'],
      excludeFiles: ['src/platform/**', 'test/platform/**', 'examples/**', 'templates/**'],
      rules: {
        'millrace/clock': 'error',
        'no-restricted-globals': restrictedGlobals(GLOBALS),
        'no-restricted-properties': ['error', ...PROPERTIES],
        'no-restricted-imports': ['error', { paths: MODULES }],
      },
    },
    {
      files: ['src/{model,rules,exchange,strategy,engine}/**/*.ts', 'strategies/**/*.ts'],
      rules: { 'no-restricted-globals': restrictedGlobals([...GLOBALS, ...WORLD]) },
    },
    {
      files: ['**/*.ts'],
      // Strategies are loaded by their default export, as are configurations, reporters and runners; rxjs has one.
      excludeFiles: [
        'strategies/**',
        'examples/**',
        'templates/**',
        'src/modules/rxjs/**',
        'bench/start/first-event.ts',
        '*.config.ts',
        'test/mutation/runner.ts',
        'test/repository/coverage-table.ts',
      ],
      rules: {
        'no-restricted-exports': [
          'error',
          {
            restrictDefaultExports: {
              direct: true,
              named: true,
              defaultFrom: true,
              namedFrom: true,
              namespaceFrom: true,
            },
          },
        ],
      },
    },
    {
      files: ['strategies/**/*.ts'],
      rules: {
        'no-restricted-imports': ['error', { paths: MODULES, patterns: [STRATEGY_IMPORTS] }],
      },
    },
    {
      files: ['src/cli/**', 'bench/**', 'examples/**', '**/*.{js,mjs}'],
      rules: { 'no-console': 'off' },
    },
    {
      files: ['templates/*/test/**/*.ts'],
      // Node waits for the tests of a file by itself.
      rules: { 'typescript/no-floating-promises': 'off' },
    },
    {
      files: ['test/**/*.ts'],
      rules: {
        // Matchers such as `expect.any` are untyped by design, and a test may hand on a method.
        'typescript/no-unsafe-assignment': 'off',
        'typescript/unbound-method': 'off',
        // A test that throws has failed, as it should.
        'no-unsafe-optional-chaining': 'off',
      },
    },
  ],
});
