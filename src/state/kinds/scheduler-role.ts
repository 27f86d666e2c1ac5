import { isRoleNameTaken } from '../../api/conditions/scheduler.ts';
import type { SchedulerRole } from '../../api/scheduler-acl.ts';
import { describeAs, unlessNotFound } from '../../errors.ts';
import { schedulerRole as schema } from '../../objects/scheduler-acl.ts';
import type { Json } from '../../wire/json.ts';
import type { JsonObject, Kind, Live } from '../kind.ts';
import { withWireNames } from '../normalize.ts';
import {
  completeList,
  mark,
  nameAndDescriptionProblems,
  namedObjects,
  withoutRoomForMark,
} from './scheduler-acl.ts';

const liveOf = ({ ID, Description = '', Policies, ModifyIndex }: SchedulerRole): Live => ({
  spec: { Description, Policies: (Policies ?? []).map(({ Name }) => ({ Name })) },
  version: String(ModifyIndex ?? 0),
  uid: ID,
  id: ID,
});

const isEmpty = (list: Json = []): boolean => Array.isArray(list) && list.length === 0;

const bodyOf = (spec: JsonObject, Name: string) => ({ ...withWireNames(schema, spec), Name });

const policiesOf = (spec: JsonObject) => withWireNames(schema, spec).Policies;

/** A role of the scheduler (docs/protocol/scheduler.md#access-control). */
export const schedulerRole: Kind = {
  name: 'scheduler.role',
  service: 'scheduler',
  description: 'A role of the scheduler: policies that tokens share.',
  scope: [],
  nameIs: 'name of the role: letters, digits and hyphens',
  schema,
  level: 3,
  mark,
  guard: 're-read',
  check: (identity, spec) => [
    ...nameAndDescriptionProblems(identity, withWireNames(schema, spec), 'role'),
    ...(isEmpty(policiesOf(spec)) ? ['a role must have at least one policy'] : []),
  ],
  omitted: withoutRoomForMark,
  references: (_identity, spec) => namedObjects('scheduler.policy', policiesOf(spec)),
  async list(services) {
    const { listRoles } = await services.scheduler();
    const roles = await completeList(services, 'roles', async () => (await listRoles({})).body ?? []);
    return roles.map(({ Name }) => ({ scope: {}, key: Name }));
  },
  async read(services, { key }) {
    const role = await unlessNotFound((await services.scheduler()).readRoleByName({ name: key }));
    return role && liveOf(role);
  },
  async create(services, { identity: { key }, spec }) {
    const taken = `cannot create role "${key}": already exists`;
    await (await services.scheduler())
      .createRole(bodyOf(spec, key))
      .catch(describeAs(isRoleNameTaken, 'conflict', taken, { details: [] }));
  },
  async update(services, { identity: { key }, spec, live: { id = '' } }) {
    await (await services.scheduler()).updateRole({ ...bodyOf(spec, key), id, ID: id });
  },
  async remove(services, _identity, { id = '' }) {
    await (await services.scheduler()).deleteRole({ id });
  },
};
