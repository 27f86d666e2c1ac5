import type { Identity, JsonObject } from '../../src/state/kind.ts';
import { accountsObjectCases } from './accounts-objects.ts';
import { otherObjectCases } from './other-objects.ts';
import { registryObjects } from './registry-objects.ts';
import { schedulerObjectCases } from './scheduler-objects.ts';
import { secretsAuthObjectCases } from './secrets-auth-objects.ts';
import { secretsObjectCases } from './secrets-objects.ts';

/** An object of a kind for the tests of all kinds. */
export interface ObjectCase {
  readonly kind: string;
  readonly identity: Identity;
  /** What a file states. */
  readonly spec: JsonObject;
  /** The same object after a change of some fields; absent: its kind cannot be updated. */
  readonly changed?: JsonObject;
  /** Other spellings of `spec` that are the same object. */
  readonly spellings?: readonly JsonObject[];
  /** Objects that must exist, in this order. */
  readonly needs?: readonly Omit<ObjectCase, 'changed' | 'spellings' | 'needs'>[];
}

const inDefault = (key: string): Identity => ({ scope: { namespace: 'default' }, key });

/** At least one object of every kind. */
export const objectCases: readonly ObjectCase[] = [
  ...secretsObjectCases,
  ...secretsAuthObjectCases,
  ...registryObjects,
  {
    kind: 'scheduler.variable',
    identity: inDefault('app/db'),
    spec: { Items: { user: 'app', password: 'x' } },
    changed: { Items: { user: 'app', port: '5432' } },
    spellings: [{ Items: { password: 'x', user: 'app' } }],
  },
  ...schedulerObjectCases,
  ...otherObjectCases,
  ...accountsObjectCases,
];
