import type { components } from '../../contract/generated/admin-types.js';

/** Schemas of the admin API by name. */
export type AdminSchema<Name extends keyof components['schemas']> = components['schemas'][Name];
