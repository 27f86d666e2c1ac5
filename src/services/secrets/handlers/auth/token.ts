import { filterInSlices, mapInSlices } from '../../../core/in-slices.ts';
import type { Caller, EngineRequest } from '../../engine.ts';
import { badRequest, formatError, invalidToken, SecretsError } from '../../errors.ts';
import { durationField, textField } from '../../fields.ts';
import { duration, required, text } from '../../help/field.ts';
import type { TokenEntry } from '../../model/token-entries.ts';
import { type Resource, requireSudo } from '../../resource.ts';
import { authResponse, showToken } from '../../views.ts';
import { createFields, createToken, type TokenContext } from './create-token.ts';
import { checkName } from './token-roles.ts';

/**
 * `auth/token/` of a namespace: create, look up, renew and revoke tokens (docs/protocol/secrets.md#tokens).
 * Other tokens than the caller's own are found if they belong to this namespace or one below it.
 */

type TokenResource = Resource<TokenContext>;

const incrementField = { increment: duration('Requested time to live from now.') };

export const create: TokenResource = {
  summary: 'Create a token.',
  fields: createFields,
  write: (context, request) => createToken(context, request, requireCaller(request), {}),
};

export const createOrphan: TokenResource = {
  summary: 'Create an orphan token, which is not revoked with its parent.',
  fields: createFields,
  write: (context, request) => createToken(context, request, requireCaller(request), { isOrphanPath: true }),
};

export const createWithRole: TokenResource = {
  summary: 'Create a token with a token role.',
  fields: createFields,
  write(context, request, name) {
    const settings = context.roles.get(checkName(name));
    if (!settings) throw badRequest(`unknown role ${name}`);
    return createToken(context, request, requireCaller(request), { role: { name, settings } });
  },
};

/** How a request names a token, and the errors if it does not. */
interface TokenName {
  readonly fields: TokenResource['fields'] & object;
  /** The token, if valid, and its text, if the request contains it. @throws SecretsError 400: not named */
  find(
    context: TokenContext,
    request: EngineRequest,
  ): { readonly token: TokenEntry | undefined; readonly text: string };
  readonly notFound: () => SecretsError;
}

const badToken = () => new SecretsError(403, 'bad token');
const ofCaller: TokenName = {
  fields: { token: text("Not used: the token is the caller's.") },
  find({ tokens }, request) {
    const { token, text } = requireCaller(request);
    return { token: tokens.current(token), text };
  },
  notFound: badToken,
};

const byToken: TokenName = {
  fields: { token: required(text('The token.')) },
  find(context, { data }) {
    const text = textField(data, 'token') ?? '';
    if (text === '') throw badRequest('missing token ID');
    return { token: ifInNamespace(context, context.tokens.find(text)), text };
  },
  notFound: () => badRequest('token not found'),
};

/** Without a token in the request, that of the caller. */
const byTokenOrCaller: TokenName = {
  fields: { token: text("The token (default: the caller's).") },
  find: (context, request) => (textField(request.data, 'token') ? byToken : ofCaller).find(context, request),
  notFound: badToken,
};

const byAccessor: TokenName = {
  fields: { accessor: required(text('The accessor of the token.')) },
  find(context, { data }) {
    const accessor = textField(data, 'accessor') ?? '';
    if (accessor === '') throw badRequest(formatError('missing accessor'));
    return { token: ifInNamespace(context, context.tokens.byAccessor(accessor)), text: '' };
  },
  notFound: () => badRequest(formatError('invalid accessor')),
};

export const lookUpSelf: TokenResource = {
  summary: "Show the caller's token.",
  fields: ofCaller.fields,
  read: showFound(ofCaller),
  write: showFound(ofCaller),
};

export const lookUp: TokenResource = {
  summary: 'Show a token.',
  fields: byTokenOrCaller.fields,
  read: showFound(byTokenOrCaller),
  write: showFound(byTokenOrCaller),
};

export const lookUpAccessor: TokenResource = {
  summary: 'Show the token of an accessor.',
  fields: byAccessor.fields,
  write: showFound(byAccessor),
};

function showFound({ find, notFound }: TokenName): NonNullable<TokenResource['read']> {
  return (context, request) => {
    const { token, text } = find(context, request);
    if (!token) throw notFound();
    return { data: showToken(token, text, context.tokens.now()) };
  };
}

export const accessors: TokenResource = {
  summary: 'List the accessors of the tokens.',
  async list({ tokens, namespace }, request) {
    requireSudo(request, 'auth/token/accessors/');
    // Those of the namespace and of those below it.
    const valid = await tokens.valid();
    const own = await filterInSlices(valid, (entry) => (entry.namespace ?? '').startsWith(namespace));
    return { data: { keys: await mapInSlices(own, ({ accessor }) => accessor) } };
  },
};

export const renewSelf = renewal("Renew the caller's token.", ofCaller);
export const renew = renewal('Renew a token.', byToken);
export const renewAccessor = renewal('Renew the token of an accessor.', byAccessor);

function renewal(summary: string, { fields, find, notFound }: TokenName): TokenResource {
  return {
    summary,
    fields: { ...fields, ...incrementField },
    async write(context, request) {
      const { tokens, limitsOf } = context;
      const { token, text } = find(context, request);
      if (!token) throw notFound();
      if (token.type === 'batch') throw badRequest('batch tokens cannot be renewed');
      if (!token.renewable) throw badRequest('lease is not renewable');
      const increment = durationField(request.data, 'increment') ?? 0;
      const current = withRole(context, token);
      const { renewed, warnings } = await tokens.renew(current, increment, limitsOf(token));
      return { auth: authResponse(renewed, text, tokens.now()), warnings };
    },
  };
}

export const revokeSelf = revocation("Revoke the caller's token and its child tokens.", ofCaller);
export const revoke = revocation('Revoke a token and its child tokens.', byToken);
export const revokeAccessor = revocation('Revoke the token of an accessor and its child tokens.', byAccessor);

/**
 * Revoking an unknown token succeeds, so that a repeated request does. In a namespace, an unknown accessor is an
 * error: it may be that of a token of another namespace.
 */
function revocation(summary: string, name: TokenName): TokenResource {
  return {
    summary,
    fields: name.fields,
    async write(context, request) {
      const { token } = name.find(context, request);
      if (token?.type === 'batch') throw batchNotRevocable();
      if (token) await context.tokens.revoke(token);
      if (token || name !== byAccessor) return undefined;
      if (context.namespace !== '') throw name.notFound();
      return { warnings: ['No token found with this accessor'] };
    },
  };
}

export const revokeOrphan: TokenResource = {
  summary: 'Revoke a token; its child tokens become orphans.',
  fields: byToken.fields,
  async write(context, request) {
    const { token } = byToken.find(context, request);
    if (!requireCaller(request).acl.capabilities('auth/token/revoke-orphan').has('sudo')) {
      throw badRequest('root or sudo privileges required to revoke and orphan');
    }
    if (!token) throw badRequest('token to revoke not found');
    if (token.type === 'batch') throw batchNotRevocable();
    await context.tokens.revokeOrphan(token);
  },
};

const batchNotRevocable = () => badRequest('batch tokens cannot be revoked');

export const tidy: TokenResource = {
  summary: 'Remove expired tokens.',
  async write({ tokens }) {
    await tokens.removeExpired();
    return {
      status: 202,
      warnings: [
        'Tidy operation successfully started. Any information from the operation will be printed to the server logs.',
      ],
    };
  },
};

/** A token with the present lifetimes of its role. @throws SecretsError 400: the role was deleted */
function withRole({ roles }: TokenContext, token: TokenEntry): TokenEntry {
  if (token.role === undefined) return token;
  const role = roles.get(token.role);
  if (!role) throw badRequest(`original token role "${token.role}" could not be found, not renewing`);
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
