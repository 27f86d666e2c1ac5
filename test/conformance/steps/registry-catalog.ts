import { type Step, stepsOf } from '../step.ts';

const { read, write, after, cleanup } = stepsOf('registry');

const files = {
  'service.hcl': 'service {\n  name = "{run}-file"\n  port = 8080\n  check {\n    ttl = "1h"\n  }\n}\n',
};

/** Services, of the agent and in the catalog, and nodes. */
export const catalogSteps: readonly Step[] = [
  write(
    'registry service register',
    'registry service register {run}-svc --port 8080 --tag prod --meta version=2',
  ),
  write('registry service register: replaced', 'registry service register {run}-svc --port 8081'),
  write(
    'registry service register: again',
    'registry service register {run}-svc --port 8080 --tag prod --meta version=2',
  ),
  write('registry service register: file', 'registry service register --in service.hcl', { files }),
  write('registry service register: forbidden', 'registry service register {run}-other', {
    code: 5,
    as: 'limited',
  }),
  after('registry service list', `registry service list --filter 'ServiceName == "{run}-svc"'`),
  after('registry service list: invalid filter', `registry service list --filter 'Nothing == 1'`, {
    code: 1,
  }),
  after('registry service get', 'registry service get {run}-svc', { save: { node: '[0].Node.Node' } }),
  after('wait service', 'wait service {run}-svc --passing 1 --timeout 0'),
  after('wait service: missing', 'wait service {run}-missing --timeout 0', { code: 8 }),
  after('registry service get: passing', 'registry service get {run}-file --passing'),
  after('registry service get: missing', 'registry service get {run}-missing', { code: 3 }),
  read('registry member list', 'registry member list --state alive'),
  read('registry datacenter list', 'registry datacenter list'),
  after('registry node list', `registry node list --filter 'Node == "{node}"'`),
  after('registry node get', 'registry node get {node}'),
  after('registry node get: missing', 'registry node get {run}-missing', { code: 3 }),
  write(
    'registry maintenance enable',
    'registry maintenance enable --service {run}-svc --reason "conformance"',
  ),
  write('registry maintenance enable: again', 'registry maintenance enable --service {run}-svc'),
  after('registry maintenance get', 'registry maintenance get --service {run}-svc'),
  after('registry service get: maintenance', 'registry service get {run}-svc'),
  write('registry maintenance enable: forbidden', 'registry maintenance enable --service {run}-svc', {
    code: 5,
    as: 'limited',
  }),
  write('registry maintenance disable', 'registry maintenance disable --service {run}-svc'),
  write('registry maintenance disable: again', 'registry maintenance disable --service {run}-svc'),
  write('registry maintenance enable: node', 'registry maintenance enable --reason conformance'),
  write('registry maintenance disable: node', 'registry maintenance disable'),
  write('registry maintenance enable: missing', 'registry maintenance enable --service {run}-missing', {
    code: 3,
  }),
  write('registry service deregister: forbidden', 'registry service deregister {run}-svc --yes', {
    code: 5,
    as: 'limited',
  }),
  write('registry service deregister', 'registry service deregister {run}-svc --yes'),
  write('registry service deregister: missing', 'registry service deregister {run}-svc --yes', { code: 3 }),
  cleanup('registry: remove the service', 'registry service deregister {run}-svc --yes'),
  cleanup('registry: remove the service of the file', 'registry service deregister {run}-file --yes'),
];
