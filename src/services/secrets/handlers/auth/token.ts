import { filterInSlices, mapInSlices } from '../../../core/in-slices.ts';
import * as s from '../../../core/schema/types.ts';
import type { Caller, EngineRequest } from '../../engine.ts';
import { badRequest, formatError, invalidToken, orBadRequest, SecretsError } from '../../errors.ts';
import type { TokenEntry } from '../../model/token-entries.ts';
import { tokenRoles } from '../../model/token-roles.ts';
import { type InputOf, requireSudo } from '../../resource.ts';
import { token as newToken, started } from '../../returns.ts';
import { authResponse, showToken } from '../../views.ts';
import {
  type CreationPath,
  createFields,
  createToken,
  type TokenContext,
  tokenResource,
} from './create-token.ts';
import { checkName } from './token-roles.ts';

/** `auth/token/` of a namespace (docs/protocol/secrets.md#tokens): tokens of it and those below are found. */

const increment = s.optional(s.duration('Requested time to live from now.'));

const nameFields = s.partial({
  token: s.string('The token.'),
  accessor: s.required(s.string('The accessor of the token.')),
});

export const create = creation('Create a token.', () => ({}));
export const createOrphan = creation('Create an orphan token, which is not revoked with its parent.', () => ({
  isOrphanPath: true,
}));
export const createWithRole = creation('Create a token with a token role.', ({ roles }, name) => {
  const settings = orBadRequest(tokenRoles.get(roles, checkName(name)), `unknown role ${name}`);
  return { role: { name, settings } };
});

function creation(summary: string, pathOf: (context: TokenContext, name: string) => CreationPath) {
  return tokenResource({
    summary,
    fields: createFields,
    returns: { write: newToken },
    write: (context, request, name) =>
      createToken(context, request, requireCaller(request), pathOf(context, name)),
  });
}

type NamedRequest = EngineRequest & { readonly input: InputOf<typeof nameFields> };

/** How a request names a token, and the errors if it does not. */
interface TokenName {
  readonly fields: Partial<typeof nameFields>;
  /** The token, if valid, and its text, if the request contains it. @throws SecretsError 400: not named */
  find(
    context: TokenContext,
    request: NamedRequest,
  ): { readonly token: TokenEntry | undefined; readonly text: string };
  readonly notFound: () => SecretsError;
}

const badToken = () => new SecretsError(403, 'bad token');
const ofCaller: TokenName = {
  fields: { token: s.described("Not used: the token is the caller's.", nameFields.token) },
  find({ tokens }, request) {
    const { token, text } = requireCaller(request);
    return { token: tokens.current(token), text };
  },
  notFound: badToken,
};

const byToken: TokenName = {
  fields: { token: s.required(nameFields.token) },
  find(context, { input: { token: text = '' } }) {
    if (text === '') throw badRequest('missing token ID');
    return { token: ifInNamespace(context, context.tokens.find(text)), text };
  },
  notFound: () => badRequest('token not found'),
};

/** The token in the request, or the caller's token. */
const byTokenOrCaller: TokenName = {
  fields: { token: s.described("The token (default: the caller's).", nameFields.token) },
  find: (context, request) => (request.input.token ? byToken : ofCaller).find(context, request),
  notFound: badToken,
};

const byAccessor: TokenName = {
  fields: { accessor: nameFields.accessor },
  find(context, { input: { accessor = '' } }) {
    if (accessor === '') throw badRequest(formatError('missing accessor'));
    return { token: ifInNamespace(context, context.tokens.byAccessor(accessor)), text: '' };
  },
  notFound: () => badRequest(formatError('invalid accessor')),
};

const shownToken = s.named(
  'Token',
  s.object({
    id: s.string('The token; empty if it was looked up by its accessor.'),
    accessor: s.string(),
    policies: s.list(s.string()),
    path: s.string(),
    meta: s.nullable(s.map(s.string())),
    display_name: s.string(),
    num_uses: s.integer('Remaining uses; 0: unlimited.'),
    orphan: s.boolean(),
    creation_time: s.integer('Seconds of the Unix epoch.'),
    creation_ttl: s.integer('Seconds.'),
    expire_time: s.nullable(s.time()),
    issue_time: s.time(),
    ...s.partial({ last_renewal: s.time(), last_renewal_time: s.integer() }),
    ttl: s.integer('Seconds.'),
    explicit_max_ttl: s.integer('Seconds.'),
    ...s.partial({
      period: s.integer('Seconds.'),
      role: s.string(),
      namespace_path: s.string(),
      bound_cidrs: s.list(s.string()),
    }),
    entity_id: s.string(),
    type: s.oneOf(['service', 'batch']),
    renewable: s.boolean(),
  }),
);

export const lookUpSelf = lookup("Show the caller's token.", ofCaller);
export const lookUp = lookup('Show a token.', byTokenOrCaller);

function lookup(summary: string, name: TokenName) {
  const fields = name.fields as typeof nameFields;
  const show = showFound(name);
  const returns = { read: shownToken, write: shownToken };
  return tokenResource({ summary, query: fields, fields, returns, read: show, write: show });
}

export const lookUpAccessor = tokenResource({
  summary: 'Show the token of an accessor.',
  fields: byAccessor.fields as typeof nameFields,
  returns: { write: shownToken },
  write: showFound(byAccessor),
});

function showFound({ find, notFound }: TokenName) {
  return (context: TokenContext, request: NamedRequest) => {
    const { token, text } = find(context, request);
    if (!token) throw notFound();
    return { data: showToken(token, text, context.tokens.now()) };
  };
}

export const accessors = tokenResource({
  summary: 'List the accessors of the tokens.',
  async list({ tokens, namespace }, request) {
    requireSudo(request, 'auth/token/accessors/');
    // The tokens of the namespace and of the namespaces below it.
    const valid = await tokens.valid();
    const own = await filterInSlices(valid, (entry) => (entry.namespace ?? '').startsWith(namespace));
    return { data: { keys: await mapInSlices(own, ({ accessor }) => accessor) } };
  },
});

export const renewSelf = renewal("Renew the caller's token.", ofCaller);
export const renew = renewal('Renew a token.', byToken);
export const renewAccessor = renewal('Renew the token of an accessor.', byAccessor);

function renewal(summary: string, { fields, find, notFound }: TokenName) {
  return tokenResource({
    summary,
    fields: { ...(fields as typeof nameFields), increment },
    returns: { write: newToken },
    async write(context, request) {
      const { tokens, limitsOf } = context;
      const { token, text } = find(context, request);
      if (!token) throw notFound();
      if (token.type === 'batch') throw badRequest('batch tokens cannot be renewed');
      if (!token.renewable) throw badRequest('lease is not renewable');
      const current = withRole(context, token);
      const { renewed, warnings } = await tokens.renew(
        current,
        request.input.increment ?? 0,
        limitsOf(token),
      );
      return { auth: authResponse(renewed, text, tokens.now()), warnings };
    },
  });
}

export const revokeSelf = revocation("Revoke the caller's token and its child tokens.", ofCaller);
export const revoke = revocation('Revoke a token and its child tokens.', byToken);
export const revokeAccessor = revocation('Revoke the token of an accessor and its child tokens.', byAccessor);

/**
 * Revoking an unknown token succeeds, so that a repeated request does; in a namespace, an unknown accessor, which may
 * be of another one, is an error.
 */
function revocation(summary: string, name: TokenName) {
  return tokenResource({
    summary,
    fields: name.fields as typeof nameFields,
    async write(context, request) {
      const { token } = name.find(context, request);
      if (token?.type === 'batch') throw batchNotRevocable();
      if (token) await context.tokens.revoke(token);
      if (token || name !== byAccessor) return undefined;
      if (context.namespace !== '') throw name.notFound();
      return { warnings: ['No token found with this accessor'] };
    },
  });
}

export const revokeOrphan = tokenResource({
  summary: 'Revoke a token; its child tokens become orphans.',
  fields: byToken.fields as typeof nameFields,
  async write(context, request) {
    const { token } = byToken.find(context, request);
    if (!requireCaller(request).acl.capabilities('auth/token/revoke-orphan').has('sudo'))
      throw badRequest('root or sudo privileges required to revoke and orphan');
    if (!token) throw badRequest('token to revoke not found');
    if (token.type === 'batch') throw batchNotRevocable();
    await context.tokens.revokeOrphan(token);
  },
});

const batchNotRevocable = () => badRequest('batch tokens cannot be revoked');

export const tidy = tokenResource({
  summary: 'Remove expired tokens.',
  returns: { write: started },
  async write({ tokens }) {
    await tokens.removeExpired();
    return {
      status: 202,
      warnings: [
        'Tidy operation successfully started. Any information from the operation will be printed to the server logs.',
      ],
    };
  },
});

/** A token with the present lifetimes of its role. @throws SecretsError 400: the role was deleted */
function withRole({ roles }: TokenContext, token: TokenEntry): TokenEntry {
  if (token.role === undefined) return token;
  const role = orBadRequest(
    tokenRoles.get(roles, token.role),
    `original token role "${token.role}" could not be found, not renewing`,
  );
  const { period: _period, ...rest } = token;
  return { ...rest, ...(role.period > 0 && { period: role.period }), maxTtl: role.explicitMaxTtl };
}

function ifInNamespace({ namespace }: TokenContext, token: TokenEntry | undefined): TokenEntry | undefined {
  return token?.namespace?.startsWith(namespace) || namespace === '' ? token : undefined;
}

function requireCaller({ caller }: EngineRequest): Caller {
  if (!caller) throw invalidToken();
  return caller;
}
