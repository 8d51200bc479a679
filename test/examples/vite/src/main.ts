/// <reference types="vite/client" />
// #region vite-main
import { showCountries } from './countries.js';

if (import.meta.env.DEV) {
  const { startSandbox } = await import('./sandbox.js');
  await startSandbox();
}
await showCountries();
// #endregion
