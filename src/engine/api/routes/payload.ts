import type { components, apiOperations as operations } from '../../../contract/index.js';

/** The shapes of the contract by name. */
export type Schemas = components['schemas'];

type Success<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } };
}
  ? Data
  : never;

/** The payload of a successful operation: `data` in the envelope. */
export type Payload<Id extends keyof operations> = Success<operations[Id]>;
