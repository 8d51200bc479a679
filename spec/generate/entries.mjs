/** What users import of the package, by the name of its bundle and of its declarations in `dist`. */
export const entries = {
  index: 'src/engine/library.ts',
  msw: 'src/bindings/msw.ts',
  vitest: 'src/bindings/vitest.ts',
  capsules: 'src/engine/play.ts',
  admin: 'src/bindings/admin-client/library.ts',
  playwright: 'src/bindings/playwright.ts',
  conformance: 'src/conformance/library.ts',
  certify: 'src/certification/library.ts',
  server: 'src/cli/server.ts',
  workers: 'src/hosted/library.ts',
};
