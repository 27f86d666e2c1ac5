import { type FieldsOf, field, type ReturnedFields } from './schema.ts';

/** A binding rule of the registry (docs/protocol/registry.md#login). */
export const registryBindingRule = field.object(
  {
    AuthMethod: field.string({ description: 'Auth method of the logins.', flag: false }),
    BindType: field.choice(['service', 'node', 'role', 'policy', 'templated-policy'], {
      description: 'What the token of a login gets.',
      flag: { help: 'what a login gets' },
    }),
    BindName: field.string({
      description: `Name of it; may contain variables of the login: \`\${value.team}\`.`,
      flag: { value: 'NAME', help: `its name, which may contain \${value.NAME}`, isNeverEmpty: true },
    }),
    BindVars: field.object(
      { Name: field.string() },
      {
        foldsNames: true,
        description: 'Variables of a templated policy.',
        flag: {
          name: 'bind-var',
          help: `templated-policy: variable, which may contain \${value.NAME}; repeatable`,
        },
      },
    ),
    Selector: field.string({
      description: 'Filter expression for the logins (default: all).',
      flag: { value: 'EXPR', help: 'logins, such as value.project == web (default all)' },
    }),
    Description: field.string({ description: 'Description.' }),
  },
  { foldsNames: true, required: ['AuthMethod', 'BindType', 'BindName'] },
);

/** The fields of a binding rule on create and update. */
export type BindingRuleFields = FieldsOf<typeof registryBindingRule>;
/** A binding rule as the registry returns it. */
export type ReturnedBindingRule = ReturnedFields<typeof registryBindingRule>;
