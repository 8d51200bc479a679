/** The answers about facilities, in the form of the world: what its file says in `forms` and `members`. */
import { isObject } from '../../../common/index.js';
import type { OperationId } from '../../../contract/index.js';
import type { MemberForms, WorldForms } from '../../model/forms.js';
import type { Facility } from '../../model/world.js';

/** A facility as an operation writes it, in the form of the world. */
export function shapedFacility<Written>(
  written: Written,
  facility: Facility,
  operation: OperationId,
  forms: WorldForms | undefined,
): Written {
  const all = [forms?.members?.[operation], facility.members?.[operation]].filter((form) => form !== undefined);
  return all.reduce((record, form) => shaped(record, facility, form), written);
}

function shaped<Written>(written: Written, facility: Facility, form: MemberForms): Written {
  const parts = (Array.isArray(written) ? (written as unknown[]) : [written]).filter(isObject);
  const made = parts.map((part, at) => shapedPart(part, facility, at === 0 ? form : { ...form, with: [] }));
  return (Array.isArray(written) ? made : made[0]) as Written;
}

function shapedPart(part: Record<string, unknown>, facility: Facility, form: MemberForms): Record<string, unknown> {
  const { with: more = [], without = [], withoutEmpty = [], null: nulls = [] } = form;
  let shaped = part;
  for (const path of more) {
    const value = valueAt(facility as unknown as Record<string, unknown>, path);
    if (value !== undefined) shaped = changedAt(shaped, path, (parent, name) => ({ ...parent, [name]: value }));
  }
  for (const path of nulls)
    if (valueAt(shaped, path) !== undefined)
      shaped = changedAt(shaped, path, (parent, name) => ({ ...parent, [name]: null }));
  for (const path of without) shaped = changedAt(shaped, path, withoutMember);
  for (const path of withoutEmpty) if (valueAt(shaped, path) === '') shaped = changedAt(shaped, path, withoutMember);
  return shaped;
}

function withoutMember(parent: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = parent;
  return rest;
}

function valueAt(record: Record<string, unknown>, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record);
}

/** A copy of a record in which the object around a path is changed, if it is there. */
function changedAt(
  record: Record<string, unknown>,
  path: string,
  change: (parent: Record<string, unknown>, name: string) => Record<string, unknown>,
): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return change(record, name);
  const inner = record[name];
  return isObject(inner) ? { ...record, [name]: changedAt(inner, rest.join('.'), change) } : record;
}
