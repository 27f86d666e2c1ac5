import { arg, command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Profile, ServiceSettings, TokenSource } from '../../config/profile.ts';
import { usage } from '../../errors.ts';
import { changesTable, writtenChanges } from '../../output/diff.ts';
import { code, text } from '../../output/document.ts';
import { parseDuration } from '../../wire/duration.ts';
import { compact } from '../../wire/objects.ts';
import { hasSetting, type ServiceName, serviceSpecificSettings } from '../../wire/services.ts';
import { absolutePath, ownedByUser, readSetting, type SettingName, settingNames } from './lib/settings.ts';
import { changedSsh, sshFlags } from './lib/ssh-settings.ts';

export default command({
  description:
    'Other settings of the profile are unchanged; an empty value removes a setting. A token given as "-" (standard input), "@FILE" or "?" (prompt) is read now and stored; "env://NAME" and "file://PATH" are stored as references and read for each request.',
  examples: [
    'lanyard profile put prod secrets.address=https://secrets.example.com:8200 secrets.token=env://SECRETS_TOKEN',
    'lanyard profile put prod registry.address=https://registry.example.com registry.ca-cert=/etc/ssl/registry.pem',
    'lanyard profile put prod --ssh-role deploy --ssh-mount ssh-users',
    'lanyard profile put prod secrets.token=- < token.txt',
    'lanyard profile put prod secrets.header-prefix=X-Vault',
    'lanyard profile put prod secrets.addresses=https://vault-1.example.com:8200,https://vault-2.example.com:8200',
    'lanyard profile put edge registry.address=unix:///run/consul/http.sock',
  ],
  changes: ['profiles', 'tokens'],
  args: {
    name: arg.text('NAME', 'profile to write', { completes: 'profile' }),
    settings: arg.rest('SERVICE.SETTING=VALUE', 'setting; an empty VALUE removes it', 0),
  },
  flags: sshFlags,
  async run({ args, flags }, ctx) {
    const settings = args.settings.map(readSetting);
    changedSsh(undefined, flags);
    // Tokens are read first: if one cannot be read, nothing is changed.
    const changes: Change[] = [];
    for (const { service, setting, value } of settings) {
      changes.push({ service, ...(await normalizeValue(setting, value, service, ctx)) });
    }
    const tokens = changes.filter(({ member }) => member === 'token');
    const desired = tokens.map(({ service, secret }) => ({ service, token: secret }));
    let before: Profile | undefined;
    const { after, replaced } = await ctx.profile.tokens.saveAll(args.name, desired, (current) => {
      before = Object.hasOwn(current.profiles, args.name) ? current.profiles[args.name] : undefined;
      const changed: { [S in ServiceName]?: ServiceSettings } & Pick<Profile, 'dev' | 'ssh'> = compact({
        ...before,
        ssh: changedSsh(before?.ssh, flags),
      });
      for (const { service, member, value } of changes)
        changed[service] = compact({ ...changed[service], [member]: value });
      return {
        ...current,
        ...(current.active === undefined ? { active: args.name } : {}),
        profiles: { ...current.profiles, [args.name]: ownedByUser(changed) },
      };
    });
    await ctx.profile.tokens.noteReplaced(args.name, replaced);
    const isActive = after?.active === args.name;
    const stored = after?.profiles[args.name] ?? {};
    const written = writtenChanges(before && settingsOf(before), settingsOf(stored));
    // A stored token that another one replaced.
    const hidden = tokens
      .filter(({ service, value }) => value === 'stored' && before?.[service]?.token === value)
      .map(({ service }) => ({ path: [service, 'token'], before: '<redacted>', after: '<redacted>' }));
    const changed = [...(written.changes ?? []), ...hidden];
    const isUnchanged = !written.created && changed.length === 0;
    return {
      data: {
        name: args.name,
        active: isActive,
        ...settingsOf(stored),
        created: written.created,
        changes: changed,
      },
      document: [
        text(
          isUnchanged ? 'Profile ' : 'Wrote profile ',
          code(args.name),
          isUnchanged ? ' is unchanged.' : isActive ? ', which is active.' : '.',
        ),
        ...(changed.length > 0 ? [changesTable(changed)] : []),
      ],
    };
  },
});

const settingsOf = ({ dev: _, ...settings }: Profile) => settings;

interface Change {
  readonly service: ServiceName;
  readonly member: keyof ServiceSettings;
  /** Undefined removes the setting. */
  readonly value: string | boolean | readonly string[] | undefined;
  readonly secret?: string;
}

async function normalizeValue(
  setting: SettingName,
  value: string,
  service: ServiceName,
  ctx: Context,
): Promise<Omit<Change, 'service'>> {
  const member = settingNames[setting];
  if (value === '') return { member, value: undefined };
  if (!hasSetting(service, setting))
    throw usage(`setting ${setting} is not supported by the ${service} service`, {
      hint: `Use it with ${serviceSpecificSettings[setting]?.join(', ')}.`,
    });
  if (setting === 'token') {
    if (/^(env|file):\/\/./.test(value)) return { member, value: value as TokenSource };
    const secret = await ctx.input.readSecret(
      value === '?' ? undefined : value,
      `token of the ${service} service`,
    );
    if (!/^[\x21-\x7e]+$/.test(secret))
      throw usage(
        `invalid token of the ${service} service: expected printable ASCII characters without spaces and line breaks`,
      );
    return { member, value: 'stored', secret };
  }
  if (setting === 'skip-verify' || setting === 'allow-plain-http') {
    if (value !== 'true' && value !== 'false')
      throw usage(`invalid ${service}.${setting} "${value}": expected true or false`);
    return { member, value: value === 'true' };
  }
  if (setting === 'http-auth') {
    if (/^(env|file):\/\/./.test(value)) return { member, value };
    throw usage(`invalid ${service}.http-auth: expected env://NAME or file://PATH of user:password`);
  }
  if (setting === 'addresses')
    return { member, value: value.split(',').map((each) => parseAddress(each, service)) };
  if (setting === 'timeout' && !parseDuration(value))
    throw usage(`invalid ${service}.timeout: expected a duration such as 30s`);
  if (setting === 'max-retries' && !/^\d{1,3}$/.test(value))
    throw usage(`invalid ${service}.max-retries: expected a number from 0 to 999`);
  if (setting === 'address' && unixAddress.test(value)) return { member, value };
  // A proxy password must not be on the command line either; the PROXY variable of the service may contain one.
  if ((setting === 'address' || setting === 'proxy') && !httpAddress.test(value))
    throw usage(
      `invalid ${service}.${setting}: expected an http or https URL without credentials, such as https://host:port${setting === 'address' ? ', or unix:///path' : ''}`,
    );
  if (setting === 'header-prefix' && !/^X-[A-Za-z][A-Za-z0-9-]*$/.test(value))
    throw usage(`invalid ${service}.header-prefix "${value}": expected a prefix such as X-Vault`);
  const isFile = ['ca-cert', 'ca-path', 'client-cert', 'client-key'].includes(setting);
  return { member, value: isFile ? absolutePath(value, ctx) : value };
}

const httpAddress = /^https?:\/\/[^/?#@\s,]+(\/[^?#\s,]*)?$/i;
const unixAddress = /^unix:\/\/\/\P{Cc}+$/u;

/** One of several addresses, in the form of a single address. */
function parseAddress(text: string, service: ServiceName): string {
  const address = text.trim();
  if (httpAddress.test(address) || unixAddress.test(address)) return address;
  throw usage(
    `invalid ${service}.addresses: expected http or https URLs such as https://host:port, separated by commas`,
  );
}
