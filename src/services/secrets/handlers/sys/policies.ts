import type { Json } from '../../../../wire/json.ts';
import { capabilities } from '../../acl/policy-text.ts';
import type { CoreHandler, Paths } from '../../backend.ts';
import { SecretsError } from '../../engine.ts';
import { notFound, permissionDenied } from '../../errors.ts';
import { listField } from '../../fields.ts';
import { list, required, text } from '../../help/field.ts';
import type { Policies } from '../../model/policies.ts';

/**
 * `sys/policies/acl`, the older `sys/policy`, and `sys/capabilities-self`
 * (docs/protocol/secrets.md#policies).
 */
export function policyPaths(paths: Paths, policies: Policies): Paths {
  const listPolicies: CoreHandler = () => ({ data: { keys: policies.names() } });
  const listPoliciesLegacy: CoreHandler = () => ({
    data: { keys: policies.names(), policies: policies.names() },
    copyToTopLevel: true,
  });
  paths
    .on('policies/acl', 'List the policies.', { list: listPolicies, read: listPolicies })
    .on('policy', 'List the policies.', { list: listPoliciesLegacy, read: listPoliciesLegacy })
    .on(
      'capabilities-self',
      "Show the capabilities of the caller's token on paths.",
      { update: capabilitiesSelf },
      { paths: required(list('The paths.')) },
    );
  // The older path returns the text under another name.
  for (const [path, field] of [
    ['policies/acl', 'policy'],
    ['policy', 'rules'],
  ] as const) {
    paths.on(
      `${path}/:name`,
      'Show, write or delete a policy.',
      {
        read(_request, { name = '' }) {
          const text = policies.text(name.toLowerCase());
          if (text === undefined) throw notFound();
          return { data: { name: name.toLowerCase(), [field]: text }, copyToTopLevel: field === 'rules' };
        },
        async update({ data }, { name = '' }) {
          await policies.put(name.toLowerCase(), policyText(data.policy ?? data.rules));
          return undefined;
        },
        async delete(_request, { name = '' }) {
          await policies.delete(name.toLowerCase());
          return undefined;
        },
      },
      { policy: required(text('The policy, in HCL or JSON.')) },
    );
  }
  return paths;
}

function policyText(value: Json | undefined): string {
  if (typeof value !== 'string' || value === '') {
    throw new SecretsError(400, "'policy' parameter not supplied or empty");
  }
  return value;
}

/** The caller's capabilities on paths: `root`, `deny`, or the list. */
const capabilitiesSelf: CoreHandler = ({ caller, data }) => {
  const paths = listField(data, 'paths') ?? listField(data, 'path') ?? [];
  if (paths.length === 0) throw new SecretsError(400, 'paths must be supplied');
  if (!caller) throw permissionDenied();
  const results = paths.map((path) => {
    if (caller.token.policies.includes('root')) return [path, ['root']] as const;
    const granted = caller.acl.capabilities(path.replace(/^\//, ''));
    const names: string[] = capabilities.filter((each) => granted.has(each)).sort();
    return [path, names.length > 0 ? names : ['deny']] as const;
  });
  const [first] = results;
  return {
    data: {
      ...Object.fromEntries(results),
      ...(results.length === 1 && first && { capabilities: first[1] }),
    },
    copyToTopLevel: true,
  };
};
