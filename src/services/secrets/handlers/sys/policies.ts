import type { Json } from '../../../../wire/json.ts';
import { mapInSlices, objectInSlices } from '../../../core/in-slices.ts';
import type { Acl } from '../../acl/acl.ts';
import { capabilities } from '../../acl/rule.ts';
import { permissionsOf } from '../../auth.ts';
import type { EngineRequest } from '../../engine.ts';
import { badRequest, formatError, orNotFound, permissionDenied, SecretsError } from '../../errors.ts';
import { listField, textField } from '../../fields.ts';
import * as help from '../../help/field.ts';
import type { TokenEntry } from '../../model/token-entries.ts';
import type { Resource } from '../../resource.ts';
import type { SysContext } from './context.ts';

/**
 * `sys/policies/acl`, the older `sys/policy`, and `sys/capabilities-self`
 * (docs/protocol/secrets.md#policies).
 */

/** In a namespace, the policy `root` exists, but is not listed. */
const names = ({ policies, path }: SysContext) =>
  policies.names().filter((name) => path === '' || name !== 'root');

const list = (context: SysContext) => ({ data: { keys: names(context) } });

export const all: Resource<SysContext> = { summary: 'List the policies.', list, read: list };

const listLegacy = (context: SysContext) => ({
  data: { keys: names(context), policies: names(context) },
  copyToTopLevel: true,
});

export const allLegacy: Resource<SysContext> = { ...all, list: listLegacy, read: listLegacy };

export const one = policyResource('policy');

/** The older path returns the text under another name. */
export const oneLegacy = policyResource('rules');

function policyResource(field: 'policy' | 'rules'): Resource<SysContext> {
  return {
    summary: 'Show, write or delete a policy.',
    fields:
      field === 'policy'
        ? { policy: help.required(help.text('The policy, in HCL or JSON.')) }
        : { policy: help.text('The policy, in HCL or JSON.'), rules: help.text('The older name of policy.') },
    read: ({ policies }, _request, name) => ({
      data: { name: name.toLowerCase(), [field]: orNotFound(policies.text(name.toLowerCase())) },
      copyToTopLevel: field === 'rules',
    }),
    async write({ policies }, { data }, name) {
      await policies.put(name.toLowerCase(), policyText(data.policy ?? data.rules));
    },
    delete: ({ policies }, _request, name) => policies.delete(name.toLowerCase()),
  };
}

function policyText(value: Json | undefined): string {
  if (typeof value !== 'string' || value === '') throw badRequest("'policy' parameter not supplied or empty");
  return value;
}

const pathsField = { paths: help.required(help.list('The paths.')) };

/** The permissions that a request asks for, and whether the token is a root token. */
type FindPermissions = (
  context: SysContext,
  request: EngineRequest,
) => { readonly acl: Acl; readonly token: TokenEntry };

export const capabilitiesSelf = capabilitiesOf(
  "Show the capabilities of the caller's token on paths.",
  {},
  (_context, { caller }) => {
    if (!caller) throw permissionDenied();
    return caller;
  },
);

export const capabilitiesOfToken = capabilitiesOf(
  'Show the capabilities of a token on paths.',
  { token: help.required(help.text('The token.')) },
  (context, { data }) => {
    const text = textField(data, 'token');
    if (!text) throw new SecretsError(500, formatError('no token found'));
    return permissionsIn(context, context.tokens.find(text), 'invalid token');
  },
);

export const capabilitiesOfAccessor = capabilitiesOf(
  'Show the capabilities of the token of an accessor on paths.',
  { accessor: help.required(help.text('The accessor of the token.')) },
  (context, { data }) => {
    const accessor = textField(data, 'accessor');
    if (!accessor) throw badRequest('missing accessor');
    const token = context.tokens.byAccessor(accessor);
    const isOwn = (token?.namespace ?? '') === context.path;
    return permissionsIn(context, isOwn ? token : undefined, 'invalid accessor');
  },
);

/** The permissions of a token in the namespace. @throws SecretsError 400: unknown, or of another namespace */
function permissionsIn({ namespaces, path }: SysContext, token: TokenEntry | undefined, invalid: string) {
  const namespace = token && namespaces.get(token.namespace ?? '');
  if (!token || !namespace || !path.startsWith(namespace.path)) throw badRequest(formatError(invalid));
  return { token, acl: permissionsOf(namespace, token, path).acl };
}

/** Capabilities on paths: `root`, `deny`, or the list. */
function capabilitiesOf(
  summary: string,
  fields: Resource<SysContext>['fields'],
  find: FindPermissions,
): Resource<SysContext> {
  const allFields = { ...fields, ...pathsField, path: help.list('The older name of `paths`.') };
  return {
    summary,
    fields: allFields,
    async write(context, request) {
      const { data } = request;
      const paths = listField(data, 'paths') ?? listField(data, 'path') ?? [];
      if (paths.length === 0) throw badRequest('paths must be supplied');
      const { acl, token } = find(context, request);
      const results = await mapInSlices(paths, (path) => {
        if (token.policies.includes('root')) return { path, names: ['root'] };
        const granted = acl.capabilities(path.replace(/^\//, ''));
        const names: string[] = capabilities.filter((each) => granted.has(each)).sort();
        return { path, names: names.length > 0 ? names : ['deny'] };
      });
      const [first] = results;
      return {
        data: {
          ...(await objectInSlices(results, (result) => [result.path, result.names])),
          ...(results.length === 1 && first && { capabilities: first.names }),
        },
        copyToTopLevel: true,
      };
    },
  };
}
