import type { Layer } from '../../deployment.js';

type Fields = Record<string, unknown>;

/** Alters every object in the answers of some paths, from the inside out. */
export function objectsOf(path: RegExp, alter: (object: Fields) => Fields): Layer {
  const visit = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(visit);
    return alter(Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visit(item)])));
  };
  return async (request, through) => {
    const response = await through(request);
    if (!path.test(new URL(request.url).pathname) || !response.ok) return response;
    return Response.json(visit(await response.json()), { status: response.status });
  };
}

/** Leaves a field out of every object that has it. */
export const without = (path: RegExp, name: string): Layer =>
  objectsOf(path, (object) => Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)));

/** Changes a field of every object that has it. */
export const setting = (path: RegExp, name: string, change: (value: any) => unknown): Layer =>
  objectsOf(path, (object) => (name in object ? { ...object, [name]: change(object[name]) } : object));

/** Several layers, the first outermost. */
export const layered = (layers: readonly Layer[]): Layer =>
  layers.reduceRight<Layer>(
    (inner, outer) => (request, through) => outer(request, (one) => inner(one, through)),
    (request, through) => through(request),
  );
