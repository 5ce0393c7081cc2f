import { Session } from 'node:inspector';

/** What the inspector says of a value; text for what JSON has no numbers for. */
interface Remote {
  readonly type: string;
  readonly value?: unknown;
  readonly unserializableValue?: string;
  readonly objectId?: string;
}

interface PrivateProperties {
  readonly privateProperties?: readonly { readonly name: string; readonly value?: Remote }[];
}

const HOLDER = '__deepState';

/**
 * Reads all that an object holds, directly or by way of others, private fields included, which only
 * the inspector sees: one line for each value, with the way that leads to it.
 */
export class DeepState {
  readonly #session = new Session();
  readonly #ignored: ReadonlySet<string>;
  readonly #holder: { value?: unknown; found?: readonly unknown[] } = {};

  /** `ignored` are fields that hold nothing that lasts, as `Class.field`, or `Class` for all of them. */
  constructor(ignored: readonly string[]) {
    this.#ignored = new Set(ignored);
    this.#session.connect();
    Object.defineProperty(globalThis, HOLDER, { value: this.#holder, configurable: true });
  }

  of(root: object): string[] {
    const lines: string[] = [];
    const ways = new Map<object, string>();
    const open: [string, object][] = [];
    const note = (way: string, value: unknown): void => {
      if (typeof value === 'function') return;
      if (typeof value !== 'object' || value === null) {
        lines.push(`${way} = ${textOf(value)}`);
        return;
      }
      const known = ways.get(value);
      lines.push(`${way} = ${known ?? value.constructor.name}`);
      if (known !== undefined) return;
      ways.set(value, way);
      open.push([way, value]);
    };
    note('', root);
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const [way, value] = next;
      if (ArrayBuffer.isView(value)) lines.push(`${way} ${contents(value)}`);
      else for (const [name, part] of this.#parts(value)) note(`${way}.${name}`, part);
    }
    return lines;
  }

  #parts(value: object): [string, unknown][] {
    if (value instanceof Map) {
      return [...(value as Map<unknown, unknown>)].flatMap(([key, part], index) => [
        [`key ${index}`, key],
        [`value ${index}`, part],
      ]);
    }
    if (value instanceof Set) return [...value].map((part, index) => [`item ${index}`, part]);
    const { name } = value.constructor;
    if (this.#ignored.has(name)) return [];
    const own = Object.entries(value) as [string, unknown][];
    const all = name === 'Object' || name === 'Array' ? own : [...own, ...this.#privates(value)];
    return all.filter(([field]) => !this.#ignored.has(`${name}.${field}`));
  }

  #privates(value: object): [string, unknown][] {
    this.#holder.value = value;
    const held = this.#post<{ result: Remote }>('Runtime.evaluate', {
      expression: `${HOLDER}.value`,
    }).result;
    const { privateProperties = [] } = this.#post<PrivateProperties>('Runtime.getProperties', {
      objectId: held.objectId,
      ownProperties: true,
    });
    const objects = privateProperties.flatMap(({ value: one }) => one?.objectId ?? []);
    this.#post('Runtime.callFunctionOn', {
      objectId: held.objectId,
      functionDeclaration: `function (...found) { ${HOLDER}.found = found; }`,
      arguments: objects.map((objectId) => ({ objectId })),
    });
    const found = this.#holder.found ?? [];
    let next = 0;
    return privateProperties.map(({ name, value: one }) => {
      if (one?.objectId !== undefined) return [name, found[next++]];
      return [name, one?.unserializableValue ?? one?.value];
    });
  }

  #post<T>(method: string, parameters: object): T {
    let answer: T | undefined;
    this.#session.post(method, parameters, (error, result) => {
      if (error !== null) throw error;
      answer = result as T;
    });
    if (answer === undefined) throw new Error(`${method} did not answer at once.`);
    return answer;
  }

  /** Lets the inspector go. */
  close(): void {
    this.#session.disconnect();
  }
}

function textOf(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** The numbers of an array, without the zeros at its end, which are room to grow. */
function contents(view: ArrayBufferView): string {
  const numbers = view as unknown as Float64Array;
  let length = numbers.length;
  while (length > 0 && numbers[length - 1] === 0) length -= 1;
  return numbers.subarray(0, length).join();
}
