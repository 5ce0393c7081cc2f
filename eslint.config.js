import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

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

const CLOCK_SYNTAX = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: USE_CLOCK },
  { selector: 'CallExpression[callee.name="Date"]', message: USE_CLOCK },
  ...[
    ['Date|Temporal|performance', USE_CLOCK],
    ['setTimeout|setInterval|setImmediate|queueMicrotask', USE_TIMER],
    ['Math|crypto', USE_RANDOM],
  ].map(([names, message]) => ({
    selector: `MemberExpression[object.name=/^(globalThis|global)$/][property.name=/^(${names})$/]`,
    message,
  })),
];

const NO_ENUM = {
  selector: 'TSEnumDeclaration',
  message: 'Use a union of string literals, or an `as const` table.',
};

const modules = (names, message, importNames) =>
  names
    .flatMap((name) => [name, `node:${name}`])
    .map((name) => (importNames ? { name, message, importNames } : { name, message }));

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

const restrictedGlobals = (globals) => [
  'error',
  { globals, checkGlobalObject: true, globalObjects: ['global'] },
];

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', 'runs/', 'docs/api/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Faults that the presets leave out.
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      eqeqeq: 'error',
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

      // Taste, or wrong where an index may be absent without the type saying so.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowNullish: false },
      ],
      '@typescript-eslint/restrict-plus-operands': ['error', { allowNumberAndString: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/prefer-for-of': 'off',
      '@typescript-eslint/prefer-optional-chain': 'off',
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/class-literal-property-style': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: ['src/platform/**', 'test/platform/**'],
    rules: {
      'no-restricted-globals': restrictedGlobals(GLOBALS),
      'no-restricted-properties': ['error', ...PROPERTIES],
      'no-restricted-imports': ['error', { paths: MODULES }],
      'no-restricted-syntax': ['error', NO_ENUM, ...CLOCK_SYNTAX],
    },
  },
  {
    files: ['src/{model,rules,exchange,strategy,engine}/**/*.ts', 'strategies/**/*.ts'],
    rules: { 'no-restricted-globals': restrictedGlobals([...GLOBALS, ...WORLD]) },
  },
  {
    files: ['src/platform/**/*.ts', 'test/platform/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_ENUM] },
  },
  {
    files: ['strategies/**/*.ts'],
    rules: {
      'no-restricted-exports': 'off',
      'no-restricted-imports': ['error', { paths: MODULES, patterns: [STRATEGY_IMPORTS] }],
    },
  },
  {
    // Configuration, and the reporter that it names: their tools load the default export.
    files: ['*.config.ts', 'test/house/coverage-table.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: ['**/*.ts'],
    ignores: ['src/cli/**', 'bench/**'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Matchers such as `expect.any` are untyped by design, and a test may hand on a method.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Configuration and tools in plain JavaScript run on Node.
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: { console: 'readonly', process: 'readonly' } },
  },
);
