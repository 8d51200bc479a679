import { answered } from '../calls/answers.js';
import type { Values } from '../calls/call.js';
import { callsOf } from '../calls/calls.js';
import type { Contract } from '../contract.js';
import { byVersion } from './by-version.js';
import { day } from './day.js';
import { failures } from './failures.js';
import type { Collection, Variable } from './model.js';

/** Variables of the environment, and not of the collection: they differ between a sandbox and a deployment. */
const ofEnvironment = ['refreshToken', 'callbackUrl'];

/** The collection, from the contract and the answers of a sandbox. */
export async function collectionOf(contract: Contract): Promise<Collection> {
  const calls = await callsOf(contract);
  const { values, answers } = await answered(calls);
  return {
    name: 'Golf tee times',
    description:
      'Every operation of the service, a day of a partner, and failures on demand. Generated from the contract of Teebox; docs/collections.md tells how to use it.',
    folders: [day, await failures(calls, values), byVersion(calls, answers)],
    variables: variablesOf(values).filter(({ name }) => !ofEnvironment.includes(name)),
    environments: [sandboxOf(values), deployment],
  };
}

function variablesOf(values: Values): Variable[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
}

function sandboxOf({ refreshToken }: Values): Collection['environments'][number] {
  return {
    name: 'Local sandbox',
    variables: [
      { name: 'baseUrl', value: 'http://127.0.0.1:4653' },
      { name: 'refreshToken', value: String(refreshToken) },
      { name: 'initialRefreshToken', value: String(refreshToken) },
      { name: 'accessToken', value: '' },
      { name: 'accessTokenExpires', value: '' },
      { name: 'callbackUrl', value: 'http://127.0.0.1:4653/__admin/inbox/collections' },
    ],
  };
}

const deployment: Collection['environments'][number] = {
  name: 'Deployment',
  variables: [
    { name: 'baseUrl', value: 'https://service.example' },
    { name: 'refreshToken', value: '', secret: true },
    { name: 'accessToken', value: '', secret: true },
    { name: 'accessTokenExpires', value: '' },
    { name: 'callbackUrl', value: '' },
  ],
};
