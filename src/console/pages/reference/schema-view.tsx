import { useState } from 'preact/hooks';
import { Prose } from '../../parts/prose.js';
import type { Contract, Schema } from './contract.js';

type Deref = Contract['deref'];

/** The parts of a schema that is put together from several. */
function whole(deref: Deref, schema: Schema): Schema {
  const { allOf = [], ...own } = deref(schema);
  return allOf.reduce<Schema>((sum, part) => {
    const { description: _, ...more } = whole(deref, part);
    const anyOf = more.anyOf ?? sum.anyOf;
    return {
      ...more,
      ...sum,
      properties: { ...more.properties, ...sum.properties },
      required: [...(sum.required ?? []), ...(more.required ?? [])],
      ...(anyOf && { anyOf }),
    };
  }, own);
}

function typeOf(deref: Deref, schema: Schema): string {
  const { type, items, anyOf, oneOf } = whole(deref, schema);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (items) return `array of ${typeOf(deref, items)}`;
  if (typeof type === 'string') return type;
  if (type) return type.join(' or ');
  const alternatives = [...new Set((anyOf ?? oneOf ?? []).map((one) => typeOf(deref, one)))];
  return alternatives.length > 0 ? alternatives.join(' or ') : 'any value';
}

/** What a value must satisfy beside its type. */
function limitsOf(schema: Schema): string {
  const { minimum, maximum, minItems, maxItems, pattern, format } = schema;
  const range = (least: number | undefined, most: number | undefined, unit: string) =>
    least === undefined && most === undefined
      ? []
      : [most === undefined ? `${least} or more${unit}` : `${least ?? 'up'} to ${most}${unit}`];
  return [
    ...(format === undefined ? [] : [format]),
    ...range(minimum, maximum, ''),
    ...range(minItems, maxItems, ' items'),
    ...(pattern === undefined || pattern === '\\S' ? [] : [`pattern ${pattern}`]),
    ...('default' in schema ? [`default ${JSON.stringify(schema.default)}`] : []),
  ].join(', ');
}

/** The fields of an object, or the alternatives, within a schema; undefined for what is all on its own line. */
function insideOf(deref: Deref, schema: Schema): Schema | undefined {
  const { properties, items, anyOf, oneOf, additionalProperties } = whole(deref, schema);
  if (properties && Object.keys(properties).length > 0) return schema;
  if (items) return insideOf(deref, items);
  if ((anyOf ?? oneOf)?.some((one) => insideOf(deref, one))) return schema;
  return typeof additionalProperties === 'object' ? insideOf(deref, additionalProperties) : undefined;
}

/** The fields of a schema, as a tree that is opened field by field. */
export function SchemaView({ deref, schema }: { readonly deref: Deref; readonly schema: Schema }) {
  const inside = insideOf(deref, schema);
  if (!inside) return <Line deref={deref} schema={schema} />;
  const { properties = {}, required = [], anyOf, oneOf } = whole(deref, inside);
  const alternatives = (anyOf ?? oneOf ?? []).filter((one) => insideOf(deref, one));
  return (
    <ul class="schema">
      {Object.entries(properties).map(([name, field]) => (
        <Field key={name} deref={deref} name={name} field={field} required={required.includes(name)} />
      ))}
      {alternatives.map((one, index) => (
        <Field
          key={index}
          deref={deref}
          name={one.$ref?.split('/').at(-1) ?? `Alternative ${index + 1}`}
          field={one}
          alternative
        />
      ))}
    </ul>
  );
}

interface FieldProps {
  readonly deref: Deref;
  readonly name: string;
  readonly field: Schema;
  readonly required?: boolean;
  readonly alternative?: boolean;
}

function Field({ deref, name, field, required = false, alternative = false }: FieldProps) {
  const [open, setOpen] = useState(false);
  const inside = insideOf(deref, field);
  const title = (
    <>
      {alternative ? <strong>{`One form: ${name}`}</strong> : <code class="field-name">{name}</code>}
      {required && <span class="required">required</span>}
    </>
  );
  const line = <Line deref={deref} schema={field} />;
  if (!inside) {
    return (
      <li>
        {title} {line}
      </li>
    );
  }
  return (
    <li>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {title} {line}
        </summary>
        {open && <SchemaView deref={deref} schema={inside} />}
      </details>
    </li>
  );
}

/** The type of a value, its limits and its words. */
function Line({ deref, schema }: { readonly deref: Deref; readonly schema: Schema }) {
  const all = whole(deref, schema);
  const limits = limitsOf(all);
  return (
    <>
      <span class="field-type">{typeOf(deref, schema)}</span>
      {limits && <span class="field-type">{limits}</span>}
      {all.deprecated && <span class="required">deprecated</span>}
      {all.enum && (
        <span class="field-type">
          {'one of '}
          {all.enum.map((one) => (
            <code key={String(one)}>{String(one)} </code>
          ))}
        </span>
      )}
      {all.description && (
        <span class="field-about">
          <Prose text={all.description} />
        </span>
      )}
    </>
  );
}
