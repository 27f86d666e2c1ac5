import type { Settings } from '../../api/settings.ts';
import { arg, command, flag } from '../../command/command.ts';
import type { ImportableSetting } from '../../command/profile-store.ts';
import type { ServiceSettings } from '../../config/profile.ts';
import { conflict, type LanyardError, usage } from '../../errors.ts';
import { code, table, text } from '../../output/document.ts';
import { type ServiceName, serviceNames } from '../../wire/services.ts';
import { settingNames } from './lib/settings.ts';

export default command({
  description:
    'Reads addresses, namespaces, TLS settings and tokens from the variables and token files of Vault, OpenBao, Consul, Nomad, Boundary and Vagrant; see "lanyard help environment". Tokens are not copied: the profile refers to them as env://NAME or file://path. With a product such as "vault" as NAME, only its service is imported; the profile becomes active if none is.',
  examples: ['lanyard profile import prod', 'lanyard profile import prod --force -o json'],
  changes: ['profiles'],
  args: { name: arg.optional('NAME', 'profile to create (default: default)', { completes: 'profile' }) },
  flags: { force: flag.boolean('replace an existing profile and its stored tokens') },
  async run({ args, flags }, ctx) {
    const name = args.name ?? 'default';
    const before = await ctx.profile.read();
    const existing = Object.hasOwn(before.profiles, name) ? before.profiles[name] : undefined;
    if (existing !== undefined && !flags.force) throw profileExistsError(name);
    const imported: ImportedSetting[] = [];
    const skipped: SkippedSetting[] = [];
    const warnings: string[] = [];
    const profile: { [S in ServiceName]?: ServiceSettings } = {};
    const only = Object.hasOwn(productServices, name) ? productServices[name] : undefined;
    for (const service of only === undefined ? serviceNames : [only]) {
      const settings = await ctx.api.environment(service);
      if (settings === undefined) continue;
      const members = await ctx.profile.importable(settings);
      profile[service] = Object.fromEntries(members.map(({ member, value }) => [member, value]));
      imported.push(...members.map((each) => importedSetting(service, each)));
      skipped.push(...skippedSettings(settings));
      warnings.push(...settings.unsupported, ...plainHttpWarning(settings, name));
    }
    if (imported.length === 0)
      throw usage(
        `cannot import a profile: the environment has no ${only === undefined ? 'service address' : `address of the ${only} service`}`,
        {
          hint: 'Set a variable such as VAULT_ADDR or CONSUL_HTTP_ADDR; run `lanyard help environment` for the list.',
        },
      );
    // Tokens stored for the replaced profile belong to its addresses.
    const stored = serviceNames.filter((service) => existing?.[service]?.token === 'stored');
    const { after, replaced } = await ctx.profile.tokens.saveAll(
      name,
      stored.map((service) => ({ service, token: undefined })),
      (current) => {
        if (Object.hasOwn(current.profiles, name) && !flags.force) throw profileExistsError(name);
        return {
          ...current,
          ...(current.active === undefined ? { active: name } : {}),
          profiles: { ...current.profiles, [name]: profile },
        };
      },
    );
    await ctx.profile.tokens.noteReplaced(name, replaced);
    for (const { from, reason } of skipped) ctx.output.warn(`${from} was not imported: ${reason}`);
    for (const each of warnings) ctx.output.warn(each);
    const isActive = after?.active === name;
    return {
      data: { name, active: isActive, settings: imported, skipped },
      rows: imported,
      document: [
        table(
          ['SETTING', { title: 'VALUE', shrinkPriority: 1 }, { title: 'FROM', shrinkPriority: 2 }],
          imported.map(({ setting, value, from }) => [setting, value, from]),
        ),
        text('Wrote profile ', code(name), isActive ? ' and set it active.' : '.'),
      ],
    };
  },
});

/** Products: a profile with such a name imports only the service of the product. */
const productServices: Readonly<Record<string, ServiceName>> = {
  vault: 'secrets',
  openbao: 'secrets',
  bao: 'secrets',
  consul: 'registry',
  nomad: 'scheduler',
  boundary: 'accounts',
  vagrant: 'box',
};

interface ImportedSetting {
  readonly setting: string;
  readonly value: string;
  readonly from: string;
}

interface SkippedSetting {
  readonly from: string;
  readonly reason: string;
}

const profileExistsError = (name: string): LanyardError =>
  conflict(`cannot import profile "${name}": it already exists`, {
    hint: 'Use another NAME, or pass --force to replace the profile.',
  });

/** The settings of the environment that cannot be stored in a profile. */
function skippedSettings({ caPem, proxy, from }: Settings): readonly SkippedSetting[] {
  const skipped: SkippedSetting[] = [];
  const skip = (setting: string | undefined, reason: string) => skipped.push({ from: setting ?? '', reason });
  if (caPem !== undefined)
    skip(from.caPem, 'a profile needs a file; write the certificate to a file and set ca-cert');
  if (hasCredentials(proxy)) skip(from.proxy, 'a profile cannot store credentials of a proxy');
  return skipped;
}

/** Requests to such an address are rejected until the profile allows it. */
const plainHttpWarning = (
  { service, remotePlainHttp: address, allowPlainHttp }: Settings,
  profile: string,
): readonly string[] =>
  address === undefined || allowPlainHttp
    ? []
    : [
        `${address} is plain http: requests are rejected until you use https or run "lanyard profile put ${profile} ${service}.allow-plain-http=true"`,
      ];

const hasCredentials = (url: string | undefined): boolean => url?.includes('@') === true;

function importedSetting(service: ServiceName, { member, value, from }: ImportableSetting): ImportedSetting {
  const [name = member] = Object.entries(settingNames).find(([, each]) => each === member) ?? [];
  return { setting: `${service}.${name}`, value: String(value), from };
}
