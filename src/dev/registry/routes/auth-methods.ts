import { formatDuration } from '../../../wire/duration.ts';
import { messageOf } from '../../errors.ts';
import { decode, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import type { Indexes } from '../../state/indexed.ts';
import { checkConfig } from '../auth/settings.ts';
import {
  type AuthMethod,
  authMethodOf,
  authMethodsOf,
  deleteAuthMethod,
  methodTypes,
  putAuthMethod,
} from '../auth/state.ts';
import type { Call } from '../http/call.ts';
import { demand } from '../http/demand.ts';
import { read, written } from '../http/read.ts';

const nameForm = /^[\w-]{1,128}$/;
const hidden = '<hidden>';

/** Seconds that the tokens of an auth method may live. */
const shortest = 60;
const longest = 86_400;

/** Makes an auth method, or changes the one of its name; its type stays. */
export async function putAuthMethodRoute(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  demand(authority, 'acl:write', '');
  const wanted = await readMethod(call);
  if (params.name !== undefined && wanted.Name !== params.name) {
    throw new HttpRefusal(400, 'Auth method name in URL and payload do not match');
  }
  const method = methodFrom(wanted);
  const { datacenter, federation } = registry;
  if (method.TokenLocality === 'global' && datacenter !== federation.primary) {
    throw invalid(`TokenLocality global is for methods of the primary datacenter, "${federation.primary}"`);
  }
  const put = await registry.state.change((draft) => {
    const before = authMethodOf(draft, method.Name);
    if (before && before.Type !== method.Type) {
      throw new HttpRefusal(
        500,
        `Changing an auth method's type from "${before.Type}" to "${method.Type}" is not permitted`,
      );
    }
    return putAuthMethod(draft, method);
  });
  return written(call, put);
}

type Wanted = Awaited<ReturnType<typeof readMethod>>;

function readMethod({ params, request }: Call) {
  return decode(request, 'Request decode failed', (body) => {
    const fields = new Fields(body ?? {});
    return {
      Name: fields.text('Name') || (params.name ?? ''),
      Type: fields.text('Type'),
      DisplayName: fields.text('DisplayName'),
      Description: fields.text('Description'),
      TokenLocality: fields.text('TokenLocality'),
      ttl: fields.duration('MaxTokenTTL') ?? 0,
      Config: fields.kept('Config') ?? {},
    };
  });
}

/** @throws HttpRefusal 500 */
function methodFrom({ ttl, TokenLocality, ...wanted }: Wanted): Omit<AuthMethod, keyof Indexes> {
  const Type = methodTypes.find((each) => each === wanted.Type);
  const locality = ['local', 'global', ''].includes(TokenLocality);
  if (!nameForm.test(wanted.Name)) {
    throw invalid("invalid Name. Only letters, digits, '-' and '_' are allowed");
  }
  if (!Type) throw invalid(`Type should be one of: ${methodTypes.join(', ')}`);
  if (!locality) throw invalid(`TokenLocality "${TokenLocality}" should be local or global`);
  if (ttl !== 0 && (ttl < shortest || ttl > longest)) throw invalid('MaxTokenTTL must be from 1m to 24h');
  try {
    checkConfig(Type, wanted.Config);
  } catch (error) {
    throw invalid(messageOf(error));
  }
  return {
    ...wanted,
    Type,
    ...(TokenLocality !== '' && { TokenLocality: TokenLocality as 'local' | 'global' }),
    ...(ttl > 0 && { MaxTokenTTL: formatDuration(ttl) }),
  };
}

function invalid(what: string): HttpRefusal {
  return new HttpRefusal(500, `Invalid Auth Method: ${what}`);
}

/** An auth method; a secret in it is for those who could write one. */
export function getAuthMethod(call: Call): Promise<Answer> {
  const { authority, params } = call;
  demand(authority, 'acl:read', '');
  return read(call, ['auth-methods'], (view) => {
    const method = authMethodOf(view, params.name ?? '');
    if (!method) throw new HttpRefusal(404, 'Requested auth method does not exist: ACL not found');
    return { value: authority.may('acl:write', '') ? method : withoutSecret(method) };
  });
}

function withoutSecret({ Config, ...rest }: AuthMethod): object {
  const shown = Object.entries(Config).map(([name, value]) =>
    name.toLowerCase() === 'oidcclientsecret' ? [name, hidden] : [name, value],
  );
  return { ...rest, Config: Object.fromEntries(shown) };
}

/** All auth methods, without what they are configured with. */
export function listAuthMethods(call: Call): Promise<Answer> {
  demand(call.authority, 'acl:read', '');
  return read(call, ['auth-methods'], (view) => ({
    value: authMethodsOf(view).map(({ Config: _config, ...rest }) => rest),
  }));
}

/** Removes an auth method, with its binding rules and the tokens that were made with it. */
export async function removeAuthMethod(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  demand(authority, 'acl:write', '');
  const name = params.name ?? '';
  await registry.state.change((draft) => {
    if (!authMethodOf(draft, name)) throw new HttpRefusal(404, 'Cannot find auth method to delete');
    deleteAuthMethod(draft, name);
  });
  return written(call, true);
}
