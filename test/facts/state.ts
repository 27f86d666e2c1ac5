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

export const stateFacts: Rows = {
  plan: {
    before: exported,
    faults: 'plan',
  },
  diff: {
    before: exported,
    faults: 'plan',
  },
  apply: {
    before: exported,
    examples: { 'lanyard apply state.plan': after('lanyard plan state --out state.plan') },
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
