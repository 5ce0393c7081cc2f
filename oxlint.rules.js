const USE_CLOCK = 'Take a Scheduler (src/platform/scheduler.ts) as an argument and read its now().';
const USE_TIMER = 'Take a Scheduler (src/platform/scheduler.ts) as an argument and call its at().';
const USE_RANDOM = 'Take a seeded Random (src/platform/random.ts) as an argument.';

/** What may not be reached through the global object, each with what to use instead. */
const ON_GLOBAL = {
  Date: USE_CLOCK,
  Temporal: USE_CLOCK,
  performance: USE_CLOCK,
  setTimeout: USE_TIMER,
  setInterval: USE_TIMER,
  setImmediate: USE_TIMER,
  queueMicrotask: USE_TIMER,
  Math: USE_RANDOM,
  crypto: USE_RANDOM,
};

const isDate = ({ type, name }) => type === 'Identifier' && name === 'Date';

/** Ways to read the clock that no list of names and properties can express. */
const clock = {
  create: (context) => ({
    NewExpression(node) {
      if (isDate(node.callee) && node.arguments.length === 0) {
        context.report({ node, message: USE_CLOCK });
      }
    },
    CallExpression(node) {
      if (isDate(node.callee)) context.report({ node, message: USE_CLOCK });
    },
    MemberExpression(node) {
      const { object, property } = node;
      if (object.type !== 'Identifier' || !/^(globalThis|global)$/.test(object.name)) return;
      const message = Object.hasOwn(ON_GLOBAL, property.name)
        ? ON_GLOBAL[property.name]
        : undefined;
      if (message !== undefined) context.report({ node, message });
    },
  }),
};

const noEnum = {
  create: (context) => ({
    TSEnumDeclaration(node) {
      context.report({ node, message: 'Use a union of string literals, or an `as const` table.' });
    },
  }),
};

export default { meta: { name: 'millrace' }, rules: { clock, 'no-enum': noEnum } };
