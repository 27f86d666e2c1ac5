import { hasMeta } from '../routes/selection.ts';
import type { ServiceQuery } from '../state/queries.ts';
import type { Candidate } from './candidates.ts';

/** Does a service query want an instance (docs/protocol/queries-and-chain.md#query-endpoints)? */
export function wantedBy(service: ServiceQuery): (candidate: Candidate) => boolean {
  const healthy = healthyFor(service);
  const tagged = taggedFor(service.Tags ?? []);
  const nodeMeta = Object.entries(service.NodeMeta ?? {});
  const serviceMeta = Object.entries(service.ServiceMeta ?? {});
  return (candidate) =>
    healthy(candidate) &&
    hasMeta(candidate.Node.Meta, nodeMeta) &&
    hasMeta(candidate.Service.Meta, serviceMeta) &&
    tagged(candidate);
}

function healthyFor({ OnlyPassing, IgnoreCheckIDs }: ServiceQuery): (candidate: Candidate) => boolean {
  const ignored = new Set(IgnoreCheckIDs);
  return ({ Checks }) =>
    Checks.every(
      ({ CheckID, Status }) =>
        Status === 'passing' || ignored.has(CheckID) || (Status === 'warning' && !OnlyPassing),
    );
}

/** All tags, and none of those with a `!`, in any case. */
function taggedFor(all: readonly string[]): (candidate: Candidate) => boolean {
  const lower = [...new Set(all.map((tag) => tag.toLowerCase()))];
  const wanted = lower.filter((tag) => !tag.startsWith('!'));
  const unwanted = new Set(lower.filter((tag) => tag.startsWith('!')).map((tag) => tag.slice(1)));
  return ({ tags }) =>
    wanted.every((tag) => tags.has(tag)) && (unwanted.size === 0 || !anyOf(tags, unwanted));
}

/** Is any of the tags, which are few, among those that are unwanted, which may be many? */
function anyOf(tags: ReadonlySet<string>, unwanted: ReadonlySet<string>): boolean {
  for (const tag of tags) if (unwanted.has(tag)) return true;
  return false;
}
