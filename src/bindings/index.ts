/** The door of `bindings`: the typed client of the admin API. */
export { AdminError } from './admin-client/admin-error.js';
export { type Admin, createAdmin } from './admin-client/library.js';
export { type AdminAsk, type AdminSend, createSend } from './admin-client/send.js';
