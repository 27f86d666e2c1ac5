import type { Json } from '../../../../wire/json.ts';
import { capabilities } from '../../acl/policy-text.ts';
import { badRequest, orNotFound, permissionDenied } from '../../errors.ts';
import { listField } from '../../fields.ts';
import * as help from '../../help/field.ts';
import type { Resource } from '../../resource.ts';
import type { SysContext } from './context.ts';

/**
 * `sys/policies/acl`, the older `sys/policy`, and `sys/capabilities-self`
 * (docs/protocol/secrets.md#policies).
 */

const list = ({ policies }: SysContext) => ({ data: { keys: policies.names() } });

export const all: Resource<SysContext> = { summary: 'List the policies.', list, read: list };

const listLegacy = ({ policies }: SysContext) => ({
  data: { keys: policies.names(), policies: policies.names() },
  copyToTopLevel: true,
});

export const allLegacy: Resource<SysContext> = { ...all, list: listLegacy, read: listLegacy };

export const one = policyResource('policy');

/** The older path returns the text under another name. */
export const oneLegacy = policyResource('rules');

function policyResource(field: 'policy' | 'rules'): Resource<SysContext> {
  return {
    summary: 'Show, write or delete a policy.',
    fields: { policy: help.required(help.text('The policy, in HCL or JSON.')) },
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

/** The caller's capabilities on paths: `root`, `deny`, or the list. */
export const capabilitiesSelf: Resource<SysContext> = {
  summary: "Show the capabilities of the caller's token on paths.",
  fields: { paths: help.required(help.list('The paths.')) },
  write(_context, { caller, data }) {
    const paths = listField(data, 'paths') ?? listField(data, 'path') ?? [];
    if (paths.length === 0) throw badRequest('paths must be supplied');
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
  },
};
