import type { Area } from './area.ts';

/** What the policies of a token of the embedded secrets service permit. */
export const secretsPolicies: Area = {
  mutate: [
    'src/services/secrets/acl/acl.ts',
    'src/services/secrets/acl/parameters.ts',
    'src/services/secrets/acl/path-templates.ts',
    'src/services/secrets/acl/rule.ts',
    'src/services/secrets/model/policies.ts',
    'src/services/secrets/acl/policy-text.ts',
    'src/wire/hcl.ts',
  ],
  tests: [
    'test/unit/services/secrets/policies.test.ts',
    'test/unit/services/secrets/acl/policy-text.test.ts',
    'test/unit/services/secrets/acl/policy-limits.test.ts',
    'test/unit/services/secrets/model/policies.test.ts',
    'test/unit/services/secrets/permissions.test.ts',
    'test/unit/services/secrets/acl/acl.property.test.ts',
    'test/unit/services/registry/legacy-rules.test.ts',
    'test/unit/wire/hcl.test.ts',
  ],
  equivalent: [
    {
      file: 'src/services/secrets/acl/acl.ts',
      before: "const last = grant.pattern.endsWith('*') ? segments.pop()?.slice(0, -1) : undefined;",
      after: "const last = grant.pattern.endsWith('*') ? segments.pop().slice(0, -1) : undefined;",
      reason: 'A text that is split has at least one segment.',
    },
    {
      file: 'src/services/secrets/acl/acl.ts',
      before: 'for (let from = 0; nodes.length > 0 && from <= path.length; ) {',
      after: 'for (let from = 0; true && from <= path.length; ) {',
      reason: 'Without nodes nothing more can match: the rest of a long path is read for nothing.',
    },
    {
      file: 'src/services/secrets/acl/acl.ts',
      before: 'for (let from = 0; nodes.length > 0 && from <= path.length; ) {',
      after: 'for (let from = 0; nodes.length >= 0 && from <= path.length; ) {',
      reason: 'Without nodes nothing more can match: the rest of a long path is read for nothing.',
    },
    {
      file: 'src/services/secrets/acl/acl.ts',
      before: 'return at < 0 ? a.pattern > b.pattern : (a.weights[at] ?? 0) > (b.weights[at] ?? 0);',
      after: 'return at < 0 ? a.pattern >= b.pattern : (a.weights[at] ?? 0) > (b.weights[at] ?? 0);',
      reason: 'There is one grant for each pattern, so the two patterns differ.',
    },
    {
      file: 'src/services/secrets/acl/acl.ts',
      before: 'return at < 0 ? a.pattern > b.pattern : (a.weights[at] ?? 0) > (b.weights[at] ?? 0);',
      after: 'return at < 0 ? a.pattern > b.pattern : (a.weights[at] ?? 0) >= (b.weights[at] ?? 0);',
      reason: 'The index is that of weights that differ.',
    },
    {
      file: 'src/services/secrets/acl/policy-text.ts',
      before: "const { path, name: _name, ...unknownFields } = objectFields(policy, 'a policy');",
      after: 'const { path, name: _name, ...unknownFields } = objectFields(policy, "");',
      reason: 'Text that begins with "{" is a JSON object or not JSON: the message is never shown.',
    },
    {
      file: 'src/wire/hcl.ts',
      before: "if (!token.text.startsWith('\"')) throw unexpectedToken('a quoted string', token);",
      after: "if (!token.text.endsWith('\"')) throw unexpectedToken('a quoted string', token);",
      reason: 'Only a quoted string begins or ends with a quotation mark, and it does both.',
    },
    {
      file: 'src/wire/hcl.ts',
      before: 'const keys: [HclToken, ...HclToken[]] = [this.#take()];',
      after: 'const keys: [HclToken, ...HclToken[]] = [];',
      reason: 'The loop takes the first key, too; it is taken before only for the type.',
    },
  ],
};
