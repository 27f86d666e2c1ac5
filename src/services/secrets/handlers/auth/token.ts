import { formatDuration } from '../../../../wire/duration.ts';
import { type Caller, type EngineRequest, type EngineResponse, SecretsError } from '../../engine.ts';
import { badRequest, invalidToken, permissionDenied } from '../../errors.ts';
import { booleanField, durationField, integerField, listField, mapField, textField } from '../../fields.ts';
import { duration, flag, integer, list, object, required, text } from '../../help/field.ts';
import { systemTtl, type TokenEntry, type Tokens } from '../../model/tokens.ts';
import type { Resource } from '../../resource.ts';
import { authResponse, showToken } from '../../views.ts';

/**
 * `auth/token/` of a namespace: create, look up, renew and revoke tokens (docs/protocol/secrets.md#tokens).
 * Other tokens than the caller's own are found if they belong to this namespace or one below it.
 */

export interface TokenContext {
  readonly tokens: Tokens;
  /** The path of the namespace. */
  readonly namespace: string;
}

type TokenResource = Resource<TokenContext>;

const createFields = {
  id: text('A custom token; requires `sudo`.'),
  policies: list('Policies (default: those of the parent token).'),
  ttl: duration('Time to live of the token.'),
  explicit_max_ttl: duration('Maximum lifetime of the token, including renewals.'),
  display_name: text('Display name, prefixed with `token-`.'),
  meta: object('Custom metadata.'),
  num_uses: integer('Number of uses; 0: unlimited.'),
  renewable: flag('Whether the token can be renewed.'),
  no_parent: flag('Create an orphan token, which is not revoked with its parent.'),
  no_default_policy: flag('Omit the policy `default`.'),
};
const tokenField = { token: required(text('The token.')) };
const accessorField = { accessor: required(text('The accessor of the token.')) };
const incrementField = { increment: duration('Requested time to live from now.') };

export const create: TokenResource = {
  summary: 'Create a token.',
  fields: createFields,
  write: (context, request) => createToken(context, request, false),
};

export const createOrphan: TokenResource = {
  summary: 'Create an orphan token, which is not revoked with its parent.',
  fields: createFields,
  write: (context, request) => createToken(context, request, true),
};

/** The token that a request is about, if valid, and its text, if the request contains it. */
type FindToken = (
  context: TokenContext,
  request: EngineRequest,
) => { readonly token: TokenEntry | undefined; readonly text: string };

const ofCaller: FindToken = (_context, request) => requireCaller(request);

const byToken: FindToken = (context, { data }) => {
  const text = textField(data, 'token') ?? '';
  return { token: ifInNamespace(context, context.tokens.find(text)), text };
};

const byAccessor: FindToken = (context, { data }) => {
  const token = context.tokens.byAccessor(textField(data, 'accessor') ?? '');
  return { token: ifInNamespace(context, token), text: '' };
};

export const lookUpSelf: TokenResource = {
  summary: "Show the caller's token.",
  read: lookUpToken(ofCaller),
  write: lookUpToken(ofCaller),
};

export const lookUp: TokenResource = {
  summary: 'Show a token.',
  fields: tokenField,
  write: lookUpToken(byToken),
};

export const lookUpAccessor: TokenResource = {
  summary: 'Show the token of an accessor.',
  fields: accessorField,
  write: lookUpToken(byAccessor),
};

function lookUpToken(find: FindToken): NonNullable<TokenResource['read']> {
  return (context, request) => {
    const { token, text } = find(context, request);
    if (!token) throw new SecretsError(403, 'bad token');
    return { data: showToken(token, text, context.tokens.now()) };
  };
}

export const renewSelf = renewal("Renew the caller's token.", ofCaller);
export const renew = renewal('Renew a token.', byToken, tokenField);

function renewal(summary: string, find: FindToken, fields: TokenResource['fields'] = {}): TokenResource {
  return {
    summary,
    fields: { ...fields, ...incrementField },
    async write(context, request) {
      const { tokens } = context;
      const { token, text } = find(context, request);
      if (!token) throw new SecretsError(403, 'bad token');
      if (!token.renewable) throw badRequest('lease is not renewable');
      const renewed = await tokens.renew(token, durationField(request.data, 'increment') ?? 0);
      return { auth: authResponse(renewed, text, tokens.now()) };
    },
  };
}

export const revokeSelf = revocation("Revoke the caller's token and its child tokens.", ofCaller);
export const revoke = revocation('Revoke a token and its child tokens.', byToken, tokenField);
export const revokeAccessor = revocation(
  'Revoke the token of an accessor and its child tokens.',
  byAccessor,
  accessorField,
);

function revocation(summary: string, find: FindToken, fields: TokenResource['fields'] = {}): TokenResource {
  return {
    summary,
    fields,
    async write(context, request) {
      const { token } = find(context, request);
      if (!token) throw badRequest('token not found');
      await context.tokens.revoke(token);
    },
  };
}

function ifInNamespace({ namespace }: TokenContext, token: TokenEntry | undefined): TokenEntry | undefined {
  return token?.namespace?.startsWith(namespace) || namespace === '' ? token : undefined;
}

function requireCaller({ caller }: EngineRequest): Caller {
  if (!caller) throw invalidToken();
  return caller;
}

async function createToken(
  { tokens, namespace }: TokenContext,
  request: EngineRequest,
  orphanPath: boolean,
): Promise<EngineResponse> {
  const { token: parent, acl } = requireCaller(request);
  const { data } = request;
  const root = parent.policies.includes('root');
  const sudo = acl.capabilities(orphanPath ? 'auth/token/create-orphan' : 'auth/token/create').has('sudo');
  const orphan = orphanPath || (booleanField(data, 'no_parent') ?? false);
  const id = textField(data, 'id');
  if (orphan && !sudo) throw permissionDenied();
  if (id !== undefined && !sudo) throw badRequest('root or sudo privileges required to specify token id');
  if (id !== undefined && (id.length < 8 || !/^[\x21-\x7e]+$/.test(id))) {
    throw badRequest('token id must be at least 8 printable characters');
  }
  if (id !== undefined && tokens.find(id)) throw badRequest('cannot create a token with a duplicate ID');

  const isOtherNamespace = (parent.namespace ?? '') !== namespace;
  const policies = policiesOf(request, isOtherNamespace ? { ...parent, policies: [] } : parent, sudo);
  if (policies.includes('root') && namespace !== '') {
    throw badRequest('root tokens may only be created in the root namespace');
  }
  if (policies.includes('root') && !root) {
    throw badRequest('root tokens may not be created without parent token being root');
  }
  const uses = integerField(data, 'num_uses') ?? 0;
  if (uses < 0) throw badRequest('number of uses cannot be negative');
  const requested = durationField(data, 'ttl') ?? durationField(data, 'lease') ?? 0;
  const maxTtl = durationField(data, 'explicit_max_ttl') ?? 0;
  const limit = Math.min(maxTtl || systemTtl, systemTtl);
  const isUnlimited = policies.includes('root') && requested === 0 && maxTtl === 0;
  const ttl = isUnlimited ? 0 : Math.min(requested || systemTtl, limit);
  const token = id ?? tokens.newToken();
  const entry = await tokens.create(token, {
    policies,
    path: `auth/token/${orphanPath ? 'create-orphan' : 'create'}`,
    displayName: formatDisplayName(textField(data, 'display_name')),
    meta: mapField(data, 'meta') ?? null,
    uses,
    parent: orphan ? null : parent.digest,
    ttl,
    maxTtl,
    renewable: ttl > 0 && (booleanField(data, 'renewable') ?? true),
    ...(namespace !== '' && { namespace }),
    ...(parent.entityId !== undefined && !orphan && !isOtherNamespace && { entityId: parent.entityId }),
  });
  const [from, to] = [formatDuration(requested), formatDuration(limit)];
  return {
    auth: authResponse(entry, token, tokens.now()),
    ...(requested > limit && {
      warnings: [
        `TTL of "${from}" exceeded the effective max_ttl of "${to}"; TTL value is capped accordingly`,
      ],
    }),
  };
}

/** The policies of a new token: the requested ones or the parent's, and `default`. */
function policiesOf({ data }: EngineRequest, parent: TokenEntry, sudo: boolean): string[] {
  const requested = listField(data, 'policies')?.map((name) => name.toLowerCase()) ?? [];
  if (!sudo && requested.some((name) => name !== 'default' && !parent.policies.includes(name))) {
    throw badRequest('child policies must be subset of parent');
  }
  const names = new Set(requested.length > 0 ? requested : parent.policies);
  if (booleanField(data, 'no_default_policy')) names.delete('default');
  else if (!names.has('root')) names.add('default');
  return [...names].sort();
}

/**
 * `token`, or `token-` and the name with all characters except letters, digits and hyphens replaced by
 * hyphens.
 */
function formatDisplayName(name: string | undefined): string {
  const sanitized = (name ?? '').replace(/[^a-zA-Z0-9-]/g, '-').replace(/-+$/, '');
  return sanitized === '' ? 'token' : `token-${sanitized}`;
}
