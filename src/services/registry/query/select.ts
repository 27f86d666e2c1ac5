import { hasMeta } from '../handlers/selection.ts';
import type { ServiceQuery } from '../model/queries.ts';
import type { CheckedInstance } from './checked-instances.ts';

/** Whether an instance matches a service query (docs/protocol/queries-and-chain.md#query-endpoints). */
export function instanceFilter(service: ServiceQuery): (instance: CheckedInstance) => boolean {
  const isHealthy = healthFilter(service);
  const hasTags = tagFilter(service.Tags ?? []);
  const nodeMeta = Object.entries(service.NodeMeta ?? {});
  const serviceMeta = Object.entries(service.ServiceMeta ?? {});
  return (instance) =>
    isHealthy(instance) &&
    hasMeta(instance.Node.Meta, nodeMeta) &&
    hasMeta(instance.Service.Meta, serviceMeta) &&
    hasTags(instance);
}

function healthFilter({ OnlyPassing, IgnoreCheckIDs }: ServiceQuery): (instance: CheckedInstance) => boolean {
  const ignored = new Set(IgnoreCheckIDs);
  return ({ Checks }) =>
    Checks.every(
      ({ CheckID, Status }) =>
        Status === 'passing' || ignored.has(CheckID) || (Status !== 'critical' && !OnlyPassing),
    );
}

/** All tags, and none of those with a `!`, ignoring case. */
function tagFilter(all: readonly string[]): (instance: CheckedInstance) => boolean {
  const lower = [...new Set(all.map((tag) => tag.toLowerCase()))];
  const required = new Set(lower.filter((tag) => !tag.startsWith('!')));
  const excluded = new Set(lower.filter((tag) => tag.startsWith('!')).map((tag) => tag.slice(1)));
  return ({ tags }) => required.isSubsetOf(tags) && excluded.isDisjointFrom(tags);
}
