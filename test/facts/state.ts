import { after, type Rows } from './row.ts';

/** A set in the directory `state`, of the objects that the services start with. */
const exported = `
  LANYARD_REGISTRY_TOKEN=$(lanyard acl bootstrap --field SecretID)
  lanyard export state`;
const document = `apiVersion: lanyard/v1
kind: scheduler.variable
metadata: {name: app}
spec: {Items: {password: {item}}}
`;

const savedPlan = after('lanyard plan state --out state.plan --force');

export const stateFacts: Rows = {
  plan: {
    before: exported,
    examples: { 'lanyard plan state.plan': savedPlan },
    faults: 'plan',
  },
  diff: {
    before: exported,
    examples: { 'lanyard plan state.plan': savedPlan },
    faults: 'plan',
  },
  apply: {
    before: exported,
    examples: { 'lanyard apply --saved state.plan': savedPlan },
    faults: 'apply',
    keeps: 'compares every field, and shows the changes (plan)',
  },
  export: {
    before: 'LANYARD_REGISTRY_TOKEN=$(lanyard acl bootstrap --field SecretID)',
    lists: 'test/state/requests.test.ts',
  },
  import: {
    before: 'lanyard var put app one=x',
    lists: 'reads one object',
  },
  validate: {
    before: 'lanyard export state --skip-forbidden',
    local: [
      { args: '-', stdin: document },
      { args: '-', stdin: `${document}}` },
    ],
  },
};
