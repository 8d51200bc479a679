import type { adminComponents as components } from '../../contract/index.js';

/** Schemas of the admin API by name. */
export type AdminSchema<Name extends keyof components['schemas']> = components['schemas'][Name];
