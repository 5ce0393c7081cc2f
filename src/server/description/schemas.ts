import type { z } from 'zod';
import { describeMessage, type JsonSchema } from '../../wire/trading/json-schema.ts';

export const SCHEMA_PREFIX = '#/components/schemas/';

/** The schemas of a description: each message, and the records that they share. */
export class Schemas {
  readonly #records = new Map<string, JsonSchema>();

  /** The schema of a message; its records join the others. */
  of(schema: z.ZodType): JsonSchema {
    const described = describeMessage(schema, SCHEMA_PREFIX);
    for (const [name, record] of Object.entries(described.records)) this.#records.set(name, record);
    return described.schema;
  }

  /** All records so far, by name. */
  get records(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#records].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
