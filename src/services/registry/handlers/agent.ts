import { HttpError } from '../../core/http/http-service.ts';
import { filterInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { agentAddress, agentNode } from '../agent-node.ts';
import { agentResponse } from '../blocking-query.ts';
import { operations, type Registry } from '../call.ts';
import { trustDomainOf } from '../chain/trust-domain.ts';
import { selectableFields } from '../filter/fields.ts';
import { agentChecksOf, countAgentServices } from '../model/agent.ts';
import { nodeOf } from '../model/catalog.ts';
import { filter } from '../read-parameters.ts';
import { filterVisible, requirePermission } from '../require-permission.ts';
import { readSelection } from './selection.ts';

/** The address of the only server: each datacenter has its own port. */
function serverOf({ datacenter, federation }: Registry): string {
  return `${agentAddress}:${8300 + 10 * federation.datacenters.indexOf(datacenter)}`;
}

const statusOperation = operations('Status');
const operation = operations('Agent');

/** Needs no permission. */
const open = { isUnauthenticated: true, errors: [] };

export const leader = statusOperation('getLeader', 'Get the address of the leader', {
  ...open,
  returns: s.string(),
  handle: (call) => agentResponse(call, { value: serverOf(call.registry) }),
});

export const peers = statusOperation('listPeers', 'List the addresses of the servers', {
  ...open,
  returns: s.list(s.string()),
  handle: (call) => agentResponse(call, { value: [serverOf(call.registry)] }),
});

const meta = s.map(s.string());
const versions = {
  ProtocolMin: 1,
  ProtocolMax: 5,
  ProtocolCur: 2,
  DelegateMin: 2,
  DelegateMax: 5,
  DelegateCur: 4,
};

const member = s.named(
  'AgentMember',
  s.object({
    Name: s.string(),
    Addr: s.string(),
    Port: s.integer(),
    Tags: meta,
    Status: s.integer(),
    ...s.each(Object.keys(versions), s.integer()),
  }),
);

const memberFields = selectableFields(member, 'Addr');

const self = s.named(
  'AgentSelf',
  s.object({
    Config: s.object({
      ...s.each(['Datacenter', 'PrimaryDatacenter', 'NodeName', 'NodeID', 'Version'], s.string()),
      Server: s.boolean(),
    }),
    DebugConfig: s.anyObject(),
    Coord: s.nullable(s.json('Always null.', { type: 'null' })),
    Member: member,
    Stats: s.map(meta, 'Statistics by component.'),
    Meta: meta,
  }),
);

/** The description of the agent (docs/protocol/registry.md#agent). */
export const agentSelf = operation('getAgentSelf', 'Get the configuration of the agent', {
  returns: self,
  async handle(call) {
    const { permissions, registry } = call;
    const { datacenter, federation } = registry;
    requirePermission(permissions, 'agent:read', agentNode);
    const value = {
      Config: {
        Datacenter: datacenter,
        PrimaryDatacenter: federation.primary,
        NodeName: agentNode,
        NodeID: nodeIdOf(registry),
        Server: true,
        Version: registry.version,
      },
      DebugConfig: {},
      Coord: null,
      Member: memberOf(registry),
      Stats: await statsOf(registry),
      Meta: {},
    };
    return agentResponse(call, { value });
  },
});

/** Statistics of the agent and its server, as texts. */
async function statsOf(registry: Registry) {
  const { federation, state, version } = registry;
  const checks = await state.read(agentChecksOf);
  return {
    agent: {
      check_monitors: '0',
      check_ttls: String((await filterInSlices(checks, ({ ttlMs }) => ttlMs !== null)).length),
      checks: String(checks.length),
      services: String(countAgentServices(state.view)),
    },
    build: { prerelease: '', revision: '', version, version_metadata: '' },
    consul: {
      acl: 'enabled',
      bootstrap: 'true',
      known_datacenters: String(federation.datacenters.length),
      leader: 'true',
      leader_addr: serverOf(registry),
      server: 'true',
    },
  };
}

export const agentVersion = operation('getAgentVersion', 'Get the version of the agent', {
  ...open,
  returns: s.object({ HumanVersion: s.string() }),
  handle: (call) => agentResponse(call, { value: { HumanVersion: call.registry.version } }),
});

/** The trust domain, whose name identifies the cluster. */
export const caRoots = operation('listCaRoots', 'Get the trust domain of the cluster', {
  ...open,
  returns: s.object({
    ActiveRootID: s.string(),
    TrustDomain: s.string('The ID of the cluster and ".consul".'),
    Roots: s.list(s.anyObject(), 'None: the embedded registry issues no certificates.'),
  }),
  handle: (call) =>
    agentResponse(call, {
      value: { ActiveRootID: '', TrustDomain: trustDomainOf(call.registry.state.view) ?? '', Roots: [] },
    }),
});

/** The server of this datacenter or, with `wan`, the servers of all datacenters. */
export const listMembers = operation('listAgentMembers', 'List the servers', {
  query: {
    wan: s.string('Not empty: the servers of all datacenters.', { allowEmptyValue: true }),
    segment: s.string('Only empty or `_all`.'),
    filter,
  },
  returns: s.list(member),
  async handle(call) {
    const { permissions, registry } = call;
    const { wan, segment, filter } = call.query();
    const isWan = wan !== '';
    if (!['', '_all'].includes(segment)) {
      throw isWan
        ? new HttpError(400, 'Cannot provide a segment with wan=true')
        : new HttpError(500, 'Network segments are not supported in this version of Consul');
    }
    const select = await readSelection(filter, memberFields);
    const { federation } = registry;
    const registries = isWan
      ? federation.datacenters.flatMap((name) => federation.registryOf(name) ?? [])
      : [registry];
    const { items, filtered } = await filterVisible(registries, (each) =>
      permissions.allows('node:read', isWan ? wanName(each) : each.node),
    );
    const members = items.map((each) => memberOf(each, isWan));
    return agentResponse(call, { value: await select(members), filtered });
  },
});

const wanName = ({ node, datacenter }: Registry): string => `${node}.${datacenter}`;

function memberOf(registry: Registry, isWan = false) {
  const { datacenter, version } = registry;
  return {
    Name: isWan ? wanName(registry) : registry.node,
    Addr: agentAddress,
    Port: isWan ? 8302 : 8301,
    Tags: {
      acls: '1',
      bootstrap: '1',
      build: `${version}:`,
      dc: datacenter,
      id: nodeIdOf(registry),
      port: '8300',
      raft_vsn: '3',
      role: 'consul',
      segment: '',
      vsn: '2',
      vsn_max: '3',
      vsn_min: '2',
      wan_join_port: '8302',
    },
    Status: 1,
    ...versions,
  };
}

const nodeIdOf = ({ node, state }: Registry): string => nodeOf(state.view, node)?.ID ?? '';
