// #region cypress-tasks
import { createAdmin } from 'teebox/admin';

type Given<T> = T & { readonly world: string };
type Arm = Parameters<ReturnType<typeof createAdmin>['arm']>;
type Expectation = Parameters<ReturnType<typeof createAdmin>['verify']>[0];

/** Tasks for `cy.task`. They run in Node, because pages may not call the admin API. */
export function sandboxTasks(origin: string) {
  const adminOf = (world: string) => createAdmin(origin).worlds.of(world);
  return {
    /** Resets a world, and returns its base URL. */
    async 'teebox:world'(world: string) {
      await adminOf(world).reset();
      return adminOf(world).baseUrl;
    },
    async 'teebox:arm'({ world, scenario, ...options }: Given<{ readonly scenario: Arm[0] } & Arm[1]>) {
      await adminOf(world).arm(scenario, options);
      return null; // Cypress refuses undefined
    },
    async 'teebox:verify'({ world, ...expectation }: Given<Expectation>) {
      await adminOf(world).verify(expectation);
      return null;
    },
  };
}
// #endregion
