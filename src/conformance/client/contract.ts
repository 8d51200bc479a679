import { answerSchemas } from '../../contract/index.js';

/** The part of a schema of the contract that the suite reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** What the contract shows of the answer of an operation that succeeds. */
export interface OperationAnswer {
  readonly schema: Schema;
  readonly example: unknown;
}

interface Document {
  readonly answers: Readonly<Record<string, OperationAnswer>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

let parsed: Document | undefined;

/** The answers that the contract shows, parsed once. */
export class Contract {
  readonly #document: Document = (parsed ??= JSON.parse(answerSchemas) as Document);
  readonly #named = new Map<string, { readonly name: string; readonly schema: Schema }>();

  schema(name: string): Schema {
    return this.#document.schemas[name]!;
  }

  /** The name of a schema and the schema itself, where it is a reference. */
  deref(schema: Schema): { readonly name?: string; readonly schema: Schema } {
    const { $ref } = schema;
    if ($ref === undefined) return { schema };
    let named = this.#named.get($ref);
    if (!named) {
      const name = $ref.split('/').at(-1)!;
      this.#named.set($ref, (named = { name, schema: this.schema(name) }));
    }
    return named;
  }

  /** The names of all members of objects that have a schema of their own. */
  get fields(): ReadonlySet<string> {
    return new Set(Object.values(this.#document.schemas).flatMap(({ properties = {} }) => Object.keys(properties)));
  }

  answer(operation: string): OperationAnswer {
    return this.#document.answers[operation]!;
  }

  /** Whether an answer can have a field, at any depth. */
  answerHas(operation: string, field: string): boolean {
    const seen = new Set<Schema>();
    const has = (schema: Schema): boolean => {
      const own = this.deref(schema).schema;
      if (seen.has(own)) return false;
      seen.add(own);
      if (own.properties && field in own.properties) return true;
      const { properties = {}, items, prefixItems = [], anyOf = [], oneOf = [] } = own;
      return [...Object.values(properties), ...(items ? [items] : []), ...prefixItems, ...anyOf, ...oneOf].some(has);
    };
    return has(this.answer(operation).schema);
  }
}
