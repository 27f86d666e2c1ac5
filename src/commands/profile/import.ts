import type { Settings, TokenPlan } from '../../api/settings.ts';
import { arg, command, flag } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import type { ServiceSettings, TokenSource } from '../../config/profile.ts';
import { conflict, type LanyardError, usage } from '../../errors.ts';
import { code, table, text } from '../../output/document.ts';
import { type ServiceName, serviceNames } from '../../wire/services.ts';
import { absolutePath, settingNames } from './lib/settings.ts';

export default command({
  description:
    'Reads addresses, namespaces, TLS settings and tokens from the variables and token files of Vault, OpenBao, Consul, Nomad, Boundary and Vagrant; see "lanyard help environment". Tokens are not copied: the profile refers to them as env://NAME or file://path. The profile becomes active if no profile is active.',
  examples: ['lanyard profile import prod', 'lanyard profile import prod --force -o json'],
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
    for (const service of serviceNames) {
      const settings = await ctx.api.environment(service);
      if (settings === undefined) continue;
      const members = importableSettings(settings, ctx);
      profile[service] = Object.fromEntries(members.map(({ member, value }) => [member, value]));
      imported.push(...members.map((each) => importedSetting(service, each)));
      skipped.push(...skippedSettings(settings));
      warnings.push(...settings.unsupported, ...plainHttpWarning(settings, name));
    }
    if (imported.length === 0)
      throw usage('cannot import a profile: the environment has no service address', {
        hint: 'Set a variable such as VAULT_ADDR or CONSUL_HTTP_ADDR; run `lanyard help environment` for the list.',
      });
    // Tokens stored for the replaced profile belong to its addresses.
    const stored = serviceNames.filter((service) => existing?.[service]?.token === 'stored');
    const { after } = await ctx.profile.tokens.saveAll(
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
    for (const { from, reason } of skipped) ctx.output.warn(`${from} was not imported: ${reason}`);
    for (const each of warnings) ctx.output.warn(each);
    const isActive = after?.active === name;
    return {
      data: { name, active: isActive, settings: imported, skipped },
      rows: imported,
      document: [
        table(
          ['SETTING', 'VALUE', 'FROM'],
          imported.map(({ setting, value, from }) => [setting, value, from]),
        ),
        text('Wrote profile ', code(name), isActive ? ' and set it active.' : '.'),
      ],
    };
  },
});

interface ImportedSetting {
  readonly setting: string;
  readonly value: string;
  readonly from: string;
}

interface SkippedSetting {
  readonly from: string;
  readonly reason: string;
}

interface SettingValue {
  readonly member: keyof ServiceSettings;
  readonly value: string | boolean | readonly string[];
  readonly from: string;
}

const profileExistsError = (name: string): LanyardError =>
  conflict(`cannot import profile "${name}": it already exists`, {
    hint: 'Use another NAME, or pass --force to replace the profile.',
  });

/** The settings of a service that can be stored in a profile; none of them is a secret. */
function importableSettings(settings: Settings, ctx: Context): readonly SettingValue[] {
  const { from, addressFrom, tokenFrom = '', addresses, token, httpAuth, skipVerify, timeout } = settings;
  const [only, ...others] = addresses;
  const path = (name: string): string => (name.startsWith('~/') ? name : ctx.files.absolute(name));
  const reference = (plan: TokenPlan | undefined): TokenSource | undefined => {
    if (plan?.from === 'variable') return `env://${plan.name}`;
    return plan?.from === 'file' ? `file://${path(plan.path)}` : undefined;
  };
  const fileOf = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : absolutePath(name, ctx);
  const [prefix, ...families] = settings.headerPrefixes;
  const all: {
    readonly [K in keyof ServiceSettings]?: readonly [ServiceSettings[K] | undefined, string | undefined];
  } = {
    ...(others.length === 0 ? { address: [only, addressFrom] } : { addresses: [addresses, addressFrom] }),
    namespace: [settings.namespace, from.namespace],
    ...(families.length === 0
      ? { headerPrefix: [prefix, `LANYARD_${settings.service.toUpperCase()}_HEADER_PREFIX`] }
      : {}),
    token: [reference(token), tokenFrom],
    httpAuth: [reference(httpAuth) as ServiceSettings['httpAuth'], from.httpAuth],
    caCert: [fileOf(settings.caCert), from.caCert],
    caPath: [fileOf(settings.caPath), from.caPath],
    clientCert: [fileOf(settings.clientCert), from.clientCert],
    clientKey: [fileOf(settings.clientKey), from.clientKey],
    serverName: [settings.serverName, from.serverName],
    skipVerify: [skipVerify || undefined, from.skipVerify],
    proxy: [hasCredentials(settings.proxy) ? undefined : settings.proxy, from.proxy],
    timeout: [timeout === undefined ? undefined : `${timeout}s`, from.timeout],
    maxRetries: [settings.maxRetries === undefined ? undefined : `${settings.maxRetries}`, from.maxRetries],
    region: [settings.region, from.region],
    datacenter: [settings.datacenter, from.datacenter],
    authMethod: [settings.authMethod, from.authMethod],
  };
  return Object.entries(all).flatMap(([member, [value, source = '']]) =>
    value === undefined ? [] : [{ member: member as keyof ServiceSettings, value, from: source }],
  );
}

/** The settings of the environment that cannot be stored in a profile. */
function skippedSettings({ caPem, proxy, from }: Settings): readonly SkippedSetting[] {
  return [
    ...(caPem === undefined
      ? []
      : [
          {
            from: from.caPem ?? '',
            reason: 'a profile needs a file; write the certificate to a file and set ca-cert',
          },
        ]),
    ...(hasCredentials(proxy)
      ? [{ from: from.proxy ?? '', reason: 'a profile cannot store credentials of a proxy' }]
      : []),
  ];
}

/** Requests to such an address are rejected until the profile allows it. */
const plainHttpWarning = (
  { service, remotePlainHttp: address }: Settings,
  profile: string,
): readonly string[] =>
  address === undefined
    ? []
    : [
        `${address} is plain http: requests are rejected until you use https or run "lanyard profile put ${profile} ${service}.allow-plain-http=true"`,
      ];

const hasCredentials = (url: string | undefined): boolean => url?.includes('@') === true;

function importedSetting(service: ServiceName, { member, value, from }: SettingValue): ImportedSetting {
  const [name = member] = Object.entries(settingNames).find(([, each]) => each === member) ?? [];
  return { setting: `${service}.${name}`, value: String(value), from };
}
