import { openapi } from '../../contract/index.js';
import { isObject } from '../../common/index.js';

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

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly examples?: Record<string, unknown> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; responses: Responses }>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}
type Responses = Readonly<Record<string, Response>>;

/** What the contract shows of the answer of an operation that succeeds. */
export interface OperationAnswer {
  readonly schema: Schema;
  readonly example: unknown;
}

let parsed: Document | undefined;

/** The bundled contract, parsed once. */
export class Contract {
  readonly #document: Document = (parsed ??= JSON.parse(openapi) as Document);
  readonly #answers = new Map<string, OperationAnswer>();
  readonly #named = new Map<string, { readonly name: string; readonly schema: Schema }>();

  constructor() {
    for (const path of Object.values(this.#document.paths)) {
      for (const { operationId, responses } of Object.values(path)) {
        if (operationId) this.#answers.set(operationId, this.#answerOf(responses['200']!));
      }
    }
  }

  schema(name: string): Schema {
    return this.#document.components.schemas[name]!;
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

  answer(operation: string): OperationAnswer {
    return this.#answers.get(operation)!;
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

  #answerOf(response: Response): OperationAnswer {
    const { examples, responses } = this.#document.components;
    const found = response.$ref === undefined ? response : responses[response.$ref.split('/').at(-1)!]!;
    const { schema, examples: shown } = found.content!['application/json']!;
    const [first] = Object.values(shown ?? {});
    const ref = isObject(first) ? (first['$ref'] as string | undefined) : undefined;
    return { schema, example: ref === undefined ? undefined : examples[ref.split('/').at(-1)!]?.value };
  }
}
