import type { TemplatedPolicy, TemplateVariables } from '../model/acl.ts';
import { isIdentityName } from './names.ts';
import type { Rule } from './rules.ts';

/** A built-in policy template. In names of its rules, `{{.Name}}` is the variable of the template. */
interface Template {
  readonly id: string;
  readonly description: string;
  readonly rules: readonly Rule[];
}

const rule = (resource: Rule['resource'], name: string, level: Rule['level']): Rule => {
  return { resource, isPrefix: false, name, level };
};
const ofAll = (resource: Rule['resource'], level: Rule['level']): Rule => {
  return { resource, isPrefix: true, name: '', level };
};

const templates: { readonly [name: string]: Template } = {
  'builtin/api-gateway': {
    id: '00000000-0000-0000-0000-000000000008',
    description: 'Permissions of an API gateway: registers itself, discovers services and reads the mesh',
    rules: [
      rule('mesh', '', 'read'),
      ofAll('node', 'read'),
      ofAll('service', 'read'),
      rule('service', '{{.Name}}', 'write'),
    ],
  },
  'builtin/dns': {
    id: '00000000-0000-0000-0000-000000000005',
    description: 'Permissions of the DNS interface: discovers services and executes queries',
    rules: [ofAll('node', 'read'), ofAll('service', 'read'), ofAll('query', 'read')],
  },
  'builtin/node': {
    id: '00000000-0000-0000-0000-000000000004',
    description: 'Permissions of a node: registers itself and discovers services',
    rules: [rule('node', '{{.Name}}', 'write'), ofAll('service', 'read')],
  },
  'builtin/nomad-client': {
    id: '00000000-0000-0000-0000-000000000009',
    description: 'Permissions of a Nomad client',
    rules: [ofAll('agent', 'read'), ofAll('node', 'read'), ofAll('service', 'write'), ofAll('key', 'read')],
  },
  'builtin/nomad-server': {
    id: '00000000-0000-0000-0000-000000000006',
    description: 'Permissions of a Nomad server',
    rules: [
      rule('acl', '', 'write'),
      ofAll('agent', 'read'),
      ofAll('node', 'read'),
      ofAll('service', 'write'),
    ],
  },
  'builtin/service': {
    id: '00000000-0000-0000-0000-000000000003',
    description: 'Permissions of a service: registers itself and its proxy, and discovers others',
    rules: [
      rule('service', '{{.Name}}', 'write'),
      rule('service', '{{.Name}}-sidecar-proxy', 'write'),
      ofAll('service', 'read'),
      ofAll('node', 'read'),
    ],
  },
};

export const templateNames = Object.keys(templates);

const nameSchema = JSON.stringify({
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 } },
  required: ['name'],
});

/** The template with a name; undefined: none. */
export function templateOf(name: string): Template | undefined {
  return Object.hasOwn(templates, name) ? templates[name] : undefined;
}

/** Whether the rules of a template have its variable. */
const requiresName = (rules: readonly Rule[] = []): boolean =>
  rules.some(({ name }) => name.includes('{{.Name}}'));

/** A template as clients read it. */
export function templateView(name: string) {
  const { description = '', rules = [] } = templateOf(name) ?? {};
  return {
    TemplateName: name,
    Schema: requiresName(rules) ? nameSchema : '',
    Template: rulesText(rules),
    Description: description,
  };
}

/** The problem with the variables of a template; undefined: none. */
export function variablesProblem(
  template: string,
  variables: TemplateVariables | undefined,
): string | undefined {
  if (!requiresName(templateOf(template)?.rules)) return undefined;
  if (!variables) return '1 error occurred:\n\t* Invalid type. Expected: object, given: null\n\n';
  const { name = '' } = variables;
  const characters = "Only lowercase alphanumeric characters, '-' and '_' are allowed";
  if (template === 'builtin/service' && !isIdentityName(name))
    return `service identity ${JSON.stringify(name)} has an invalid name. ${characters}`;
  if (template === 'builtin/node' && !isIdentityName(name))
    return `node identity ${JSON.stringify(name)}  has an invalid name. ${characters}`;
  return name === '' ? '1 error occurred:\n\t* name is required\n\n' : undefined;
}

/** The rules of a template with its variables. */
export function templateRules({ TemplateName, TemplateVariables }: PolicyTemplateUse): Rule[] {
  const { name = '' } = TemplateVariables ?? {};
  const rules = templateOf(TemplateName)?.rules ?? [];
  return rules.map((each) => ({ ...each, name: each.name.replace('{{.Name}}', () => name) }));
}

export type PolicyTemplateUse = Pick<TemplatedPolicy, 'TemplateName' | 'TemplateVariables' | 'Datacenters'>;

/** FNV-1a of nothing, in 128 bits: Consul ends the IDs of these policies with it. */
const idSuffix = '6c62272e07bb014262b821756295c58d';

/** The policy of a template with its variables, as clients read it. */
export function syntheticPolicy(use: PolicyTemplateUse, hashOf: (text: string) => string) {
  const Rules = rulesText(templateRules(use));
  const ID = Buffer.from(Rules).toString('hex') + idSuffix;
  return {
    ID,
    Name: `synthetic-policy-${ID}`,
    Description: `synthetic policy generated from templated policy: ${use.TemplateName}`,
    Rules,
    ...(use.Datacenters && { Datacenters: use.Datacenters }),
    Hash: hashOf(Rules),
    CreateIndex: 0,
    ModifyIndex: 0,
  };
}

const singleResources: readonly string[] = ['acl', 'mesh'];

function rulesText(rules: readonly Rule[]): string {
  const lines = rules.map(({ resource, isPrefix, name, level }) =>
    singleResources.includes(resource)
      ? `${resource} = "${level}"`
      : `${resource}${isPrefix ? '_prefix' : ''} ${JSON.stringify(name)} {\n\tpolicy = "${level}"\n}`,
  );
  return `\n${lines.join('\n')}`;
}

/**
 * Removes repeated uses: of a template without variables all but the first, of others those with the same variables.
 */
export function withoutRepeated(uses: readonly TemplatedPolicy[]): TemplatedPolicy[] {
  const seen = new Set<string>();
  return uses.filter(({ TemplateName, TemplateVariables }) => {
    const isGeneral = !requiresName(templateOf(TemplateName)?.rules);
    const key = JSON.stringify([TemplateName, isGeneral ? '' : (TemplateVariables?.name ?? '')]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
