import { hasStatus } from '../../api/conditions/any.ts';
import { isUnknownEndpoint, isUnknownResource } from '../../api/conditions/registry.ts';
import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { describeAs, insteadOf, isForbidden, kinds, LanyardError, usage } from '../../errors.ts';
import { bad, good, text } from '../../output/document.ts';
import { formatJson } from '../../wire/json.ts';
import { compact } from '../../wire/objects.ts';
import { suggest } from '../../wire/suggest.ts';
import { decide, type Requested } from './lib/access.ts';
import { dcFlag } from './lib/find.ts';
import { reasonText } from './lib/permission-views.ts';
import { readPermissions } from './lib/permissions.ts';
import { namedResources, type Resource, singleResources } from './lib/policy-rules.ts';

/** A permission, and what it is about; the name of a resource without one is empty. */
interface Request {
  readonly resource: Resource;
  readonly access: Requested;
  readonly name: string;
}

interface Outcome {
  readonly isAllowed: boolean;
  /** Undefined: the service does not say. */
  readonly reason?: string;
}

const named: readonly Resource[] = [...namedResources, 'intention'];
const resources: readonly Resource[] = [...named, ...singleResources];
const permissions = resources.flatMap((resource) =>
  (resource === 'key' ? ['read', 'list', 'write', 'write-prefix'] : ['read', 'write']).map(
    (access) => `${resource}:${access}`,
  ),
);

export default command({
  description:
    'Prints yes or no; the exit code is 0 for yes and 5 (forbidden) for no. The service registry evaluates the permission of the current token. With --token, or if the registry cannot evaluate it, the policies of the token are evaluated locally and the deciding rule is shown.',
  examples: [
    'lanyard acl can key:write app/config',
    'lanyard acl can service:read web --token 6a1253d2',
    'lanyard acl can acl:write',
  ],
  service: 'registry',
  args: {
    permission: arg.text('PERMISSION', 'resource and access, such as key:write or operator:read'),
    name: arg.optional('NAME', 'name of the key, service, node or other resource'),
  },
  flags: {
    token: flag.name('ID', 'accessor ID or unique prefix of another token', { completes: 'acl-token' }),
    dc: dcFlag,
  },
  async run({ args, flags }, ctx) {
    const request = parseRequest(args.permission, args.name);
    const { resource, access, name } = request;
    const { isAllowed, reason } =
      (flags.token === undefined ? await askRegistry(request, flags.dc, ctx) : undefined) ??
      (await compute(request, flags, ctx));
    return {
      data: {
        Resource: resource,
        ...(name === '' ? {} : { Segment: name }),
        Access: access,
        Allow: isAllowed,
        ...(reason === undefined ? {} : { Reason: reason }),
      },
      document: [text(isAllowed ? good('yes') : bad('no'), reason === undefined ? '' : `: ${reason}`)],
      exitCode: isAllowed ? undefined : kinds.forbidden.code,
    };
  },
});

/** @throws LanyardError usage */
function parseRequest(permission: string, name: string | undefined): Request {
  const separator = permission.indexOf(':');
  const resource = resources.find((each) => each === permission.slice(0, separator));
  if (resource === undefined || !permissions.includes(permission)) {
    const meant = suggest(permission, permissions);
    const known = `Resources: ${resources.join(', ')}. Access: read or write; for key also list and write-prefix.`;
    const hint = meant === undefined ? known : `Did you mean "${meant}"?`;
    throw usage(`invalid permission "${permission}": expected RESOURCE:ACCESS`, { hint });
  }
  const hasName = named.includes(resource);
  if (hasName && name === undefined) throw usage(`NAME is required: ${permission} is about one ${resource}`);
  if (!hasName && name !== undefined) throw usage(`${permission} takes no NAME`);
  return { resource, access: permission.slice(separator + 1) as Requested, name: name ?? '' };
}

/** What the registry decides for the caller's token; undefined: it cannot be asked. */
async function askRegistry(
  { resource, access, name }: Request,
  dc: string | undefined,
  ctx: Context,
): Promise<Outcome | undefined> {
  const registry = await ctx.api.registry();
  const content = formatJson([{ Resource: resource, Segment: name, Access: access }]);
  const isUnsupported = (error: unknown) =>
    isUnknownEndpoint(error) || isUnknownResource(error) || hasStatus(error, 405);
  const asked = registry.authorize({ content, ...compact({ dc }) });
  const response = await asked.catch(insteadOf(isUnsupported, undefined));
  const first = response?.body[0];
  return first && { isAllowed: first.Allow };
}

/**
 * Decides by the policies of the token.
 *
 * @throws LanyardError failure: they cannot be read, which would otherwise look like a "no"
 */
async function compute(
  request: Request,
  { token, dc }: { readonly token: string | undefined; readonly dc: string | undefined },
  ctx: Context,
): Promise<Outcome> {
  const { rules, defaultPolicy, gaps } = await readPermissions(token, dc, ctx).catch(describeForbidden);
  if (gaps.length > 0)
    throw new LanyardError('failure', 'cannot check permissions: the rules of the token are incomplete', {
      details: gaps,
    });
  const { isAllowed, rule } = decide(rules, request, defaultPolicy);
  return { isAllowed, reason: reasonText(rule, defaultPolicy) };
}

/** The exit code of a "no" is only for a "no". */
const describeForbidden = describeAs(
  isForbidden,
  'failure',
  'cannot check permissions: reading tokens and policies requires acl:read (403)',
);
