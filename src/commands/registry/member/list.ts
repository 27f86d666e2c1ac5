import type { Member } from '../../../api/registry-catalog.ts';
import { askedDatacenter, requireReadsIn } from '../../../api/registry-datacenter.ts';
import { command, flag } from '../../../command/command.ts';
import { usage } from '../../../errors.ts';
import { bad, good, listResult, type StyledText, strong, warn } from '../../../output/document.ts';

/** The states of a member, by their numbers in responses. */
const states = ['none', 'alive', 'leaving', 'left', 'failed'] as const;

type MemberState = (typeof states)[number] | 'unknown';

export default command({
  description:
    'Members are the agents that the agent at the configured address knows by gossip. Without --wan they are the servers and clients of its datacenter; "registry node list" shows the nodes of any datacenter. Members that the token has no permission to read are missing.',
  examples: [
    'lanyard registry member list',
    'lanyard registry member list --wan',
    'lanyard registry member list --state failed -o json',
  ],
  service: 'registry',
  flags: {
    wan: flag.boolean('servers of all datacenters'),
    segment: flag.name('NAME', 'members of a network segment of Consul Enterprise'),
    state: flag.choice(states, 'only members in this state'),
    filter: flag.text('EXPR', 'filter expression, such as Tags["role"] == "consul"'),
  },
  async run({ flags }, ctx) {
    const { wan, segment, state, filter } = flags;
    if (wan && segment !== undefined) throw usage('--wan and --segment cannot be used together');
    const registry = await ctx.api.registry();
    if (!wan)
      await requireReadsIn(
        registry,
        await askedDatacenter(undefined, ctx.api),
        'members',
        'Run `lanyard registry member list --wan` for the servers of all datacenters.',
      );
    const { body } = await registry.listMembers({ ...(wan && { wan: '1' }), segment, filter });
    const members = body
      .map((member) => ({ ...member, State: stateOf(member) }))
      .filter(({ State }) => state === undefined || State === state)
      .sort((one, other) => (one.Name < other.Name ? -1 : 1));
    return listResult(members, state === undefined ? 'No members.' : `No ${state} members.`, {
      NAME: ({ Name }) => [strong(Name)],
      ADDRESS: addressOf,
      STATE: ({ State }) => stateText(State),
      TYPE: ({ Tags }) => typeOf(Tags?.role),
      VERSION: { cell: ({ Tags }) => versionOf(Tags?.build), optional: 2 },
      DATACENTER: { cell: ({ Tags }) => Tags?.dc || null, optional: 1 },
    });
  },
});

const stateOf = ({ Status }: Member): MemberState => states[Status] ?? 'unknown';

const stateText = (state: MemberState): StyledText => {
  if (state === 'alive') return [good(state)];
  return state === 'left' || state === 'leaving' ? [warn(state)] : [bad(state)];
};

const addressOf = ({ Addr, Port }: Member): string => `${Addr.includes(':') ? `[${Addr}]` : Addr}:${Port}`;

/** By the tag `role`: servers have `consul`, clients `node`. */
const typeOf = (role: string | undefined): string | null =>
  role === 'consul' ? 'server' : role === 'node' ? 'client' : (role ?? null);

/** The tag `build` is the version and the revision: `1.21.4:59b8b905`. */
const versionOf = (build: string | undefined): string | null => build?.split(':')[0] || null;
