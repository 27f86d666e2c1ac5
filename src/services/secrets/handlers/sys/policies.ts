import { mapInSlices, objectInSlices } from '../../../core/in-slices.ts';
import * as s from '../../../core/schema/types.ts';
import type { Acl } from '../../acl/acl.ts';
import { capabilities } from '../../acl/rule.ts';
import { permissionsOf } from '../../auth.ts';
import type { EngineRequest } from '../../engine.ts';
import { badRequest, formatError, orNotFound, permissionDenied, SecretsError } from '../../errors.ts';
import type { TokenEntry } from '../../model/token-entries.ts';
import type { InputOf } from '../../resource.ts';
import { copied } from '../../returns.ts';
import { type SysContext, sysResource } from './context.ts';

/** `sys/policies/acl`, the older `sys/policy`, and capabilities (docs/protocol/secrets.md#policies). */

/** In a namespace, the policy `root` exists, but is not listed. */
const names = ({ policies, path }: SysContext) =>
  policies.names().filter((name) => path === '' || name !== 'root');

const list = (context: SysContext) => ({ data: { keys: names(context) } });

const listed = { keys: s.list(s.string()) };

export const all = sysResource({
  summary: 'List the policies.',
  returns: { list: s.object(listed) },
  list,
  read: list,
});

const listLegacy = (context: SysContext) => ({
  data: { keys: names(context), policies: names(context) },
});

export const allLegacy = sysResource({
  summary: 'List the policies.',
  returns: { list: copied(s.object({ ...listed, policies: listed.keys })) },
  list: listLegacy,
  read: listLegacy,
});

export const one = policyResource('policy');

/** The older path returns the text under another name. */
export const oneLegacy = policyResource('rules');

function policyResource(field: 'policy' | 'rules') {
  const shown = s.object({ name: s.string(), [field]: s.string() });
  return sysResource({
    summary: 'Show, write or delete a policy.',
    fields: s.partial({
      policy: s.string('The policy, in HCL or JSON.'),
      rules: s.string('The older name of `policy`.'),
    }),
    returns: { read: field === 'rules' ? copied(shown) : shown },
    read: ({ policies }, _request, name) => ({
      data: { name: name.toLowerCase(), [field]: orNotFound(policies.text(name.toLowerCase())) },
    }),
    async write({ policies }, { input }, name) {
      const text = input.policy ?? input.rules ?? '';
      if (text === '') throw badRequest("'policy' parameter not supplied or empty");
      await policies.put(name.toLowerCase(), text);
    },
    delete: ({ policies }, _request, name) => policies.delete(name.toLowerCase()),
  });
}

const { token, accessor, ...pathFields } = s.partial({
  token: s.string('The token.'),
  accessor: s.string('The accessor of the token.'),
  paths: s.list(s.string(), 'The paths.'),
  path: s.list(s.string(), 'The older name of `paths`.'),
});
const fields = { ...pathFields, token, accessor };

/** The permissions that a request asks for, and whether the token is a root token. */
type FindPermissions = (
  context: SysContext,
  request: Pick<EngineRequest, 'caller'> & { readonly input: InputOf<typeof fields> },
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
  { token },
  (context, { input: { token: text } }) => {
    if (!text) throw new SecretsError(500, formatError('no token found'));
    return permissionsIn(context, context.tokens.find(text), 'invalid token');
  },
);

export const capabilitiesOfAccessor = capabilitiesOf(
  'Show the capabilities of the token of an accessor on paths.',
  { accessor },
  (context, { input: { accessor } }) => {
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
function capabilitiesOf(summary: string, named: Partial<typeof fields>, find: FindPermissions) {
  return sysResource({
    summary,
    fields: { ...pathFields, ...named } as typeof fields,
    returns: {
      write: copied(s.map(s.list(s.string()), 'By path; `capabilities`: of the first path.')),
    },
    async write(context, { caller, input }) {
      const paths = input.paths ?? input.path ?? [];
      if (paths.length === 0) throw badRequest('paths must be supplied');
      const { acl, token } = find(context, { caller, input });
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
      };
    },
  });
}
