/**
 * Large generated data, loaded when somebody first needs it: a sandbox starts without its texts, and a page of a browser
 * without admin calls has no validators for them.
 *
 * @module
 */
/** The validators of the admin API. */
export type AdminValidators = typeof import('./generated/built/admin-validators.js');

/** The words of all rules and questions. */
export const loadCatalogue = () => import('./generated/built/catalogue.js');
export const loadAdminValidators = (): Promise<AdminValidators> => import('./generated/built/admin-validators.js');
