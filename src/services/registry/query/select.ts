import { hasMeta } from '../handlers/selection.ts';
import type { ServiceQuery } from '../model/queries.ts';
import type { CheckedInstance } from './checked-instances.ts';

/** Does a service query want an instance (docs/protocol/queries-and-chain.md#query-endpoints)? */
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
        Status === 'passing' || ignored.has(CheckID) || (Status === 'warning' && !OnlyPassing),
    );
}

/** All tags, and none of those with a `!`, in any case. */
function tagFilter(all: readonly string[]): (instance: CheckedInstance) => boolean {
  const lower = [...new Set(all.map((tag) => tag.toLowerCase()))];
  const required = lower.filter((tag) => !tag.startsWith('!'));
  const excluded = new Set(lower.filter((tag) => tag.startsWith('!')).map((tag) => tag.slice(1)));
  return ({ tags }) =>
    required.every((tag) => tags.has(tag)) && (excluded.size === 0 || !hasAny(tags, excluded));
}

/** Is any of the tags, which are few, among those that are unwanted, which may be many? */
function hasAny(tags: ReadonlySet<string>, excluded: ReadonlySet<string>): boolean {
  for (const tag of tags) if (excluded.has(tag)) return true;
  return false;
}
