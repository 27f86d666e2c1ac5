import { ignoredParameters, lacksParameter } from '../../../api/conditions.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { arg, command, flag, showWarnings, toKebabCase } from '../../../cli/command.ts';
import type { Context } from '../../../cli/context.ts';
import { confirmWrite, isEmptyListError, LanyardError, usage } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { formatJson } from '../../../wire/json.ts';
import { compact } from '../../../wire/objects.ts';
import type { SshRoleFields } from '../../../wire/secrets.ts';
import { mountFlag } from '../lib/mount.ts';
import { readHelp } from '../lib/read-help.ts';

export default command({
  description:
    'Replaces an existing role: omitted flags are reset to their defaults, while its issuer and fields without a flag are kept. A role of type ca requires --allow-user-certificates or --allow-host-certificates.',
  examples: [
    'lanyard ssh role put deploy --allow-user-certificates --allowed-users ubuntu,admin --default-user ubuntu --default-extension permit-pty --ttl 30m',
    'lanyard ssh role put hosts --allow-host-certificates --allowed-domains example.com --allow-subdomains --ttl 720h',
    'lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8',
  ],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { role: arg.text('NAME', 'role to write', { completes: { live: 'ssh-role' } }) },
  flags: {
    keyType: flag.choice(['ca', 'otp'], 'ca: sign keys (default); otp: one-time passwords'),
    allowUserCertificates: flag.boolean('allow user certificates'),
    allowHostCertificates: flag.boolean('allow host certificates'),
    allowedUsers: flag.list('A,B', 'allowed principals; * for any'),
    allowedUsersTemplate: flag.boolean('allow identity templates in --allowed-users'),
    defaultUser: flag.text('USER', 'default principal'),
    defaultUserTemplate: flag.boolean('allow identity templates in --default-user'),
    allowedDomains: flag.list('A,B', 'allowed domains of host certificates; * for any'),
    allowedDomainsTemplate: flag.boolean('allow identity templates in --allowed-domains'),
    allowBareDomains: flag.boolean('allow the domains themselves as principals'),
    allowSubdomains: flag.boolean('allow subdomains as principals'),
    allowEmptyPrincipals: flag.boolean('allow certificates without principals, valid for anyone'),
    ttl: flag.duration('default validity period'),
    maxTtl: flag.duration('maximum validity period'),
    notBeforeDuration: flag.duration('backdating of the validity period (default 30s)'),
    defaultExtension: flag.map('K[=V]', 'default extension; repeatable', { aliases: ['default-extensions'] }),
    defaultExtensionsTemplate: flag.boolean('allow identity templates in --default-extension'),
    allowedExtensions: flag.list('A,B', 'allowed extensions; * for any'),
    defaultCriticalOption: flag.map('K=V', 'default critical option; repeatable', {
      aliases: ['default-critical-options'],
    }),
    allowedCriticalOptions: flag.list('A,B', 'allowed critical options (default: any)'),
    allowUserKeyIds: flag.boolean('allow key IDs in requests'),
    keyIdFormat: flag.text('TEMPLATE', 'key ID: {{token_display_name}}, {{role_name}}, {{public_key_hash}}'),
    allowedUserKeyLength: flag.map('TYPE=BITS[,BITS]', 'allowed key type and sizes; repeatable', {
      aliases: ['allowed-user-key-lengths'],
    }),
    algorithmSigner: flag.choice(
      ['default', 'ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512'],
      'signature algorithm of an RSA CA (ssh-rsa: SHA-1, insecure)',
    ),
    issuerRef: flag.name('REF', 'issuer name or ID (OpenBao; default: of the existing role)', {
      completes: { live: 'ssh-issuer' },
    }),
    allowCommasInIdentityTemplates: flag.boolean('allow commas in values of identity templates (OpenBao)'),
    cidrList: flag.list('CIDR,CIDR', 'otp: allowed addresses'),
    excludeCidrList: flag.list('CIDR,CIDR', 'otp: excluded addresses'),
    port: flag.integer('N', 'otp: port of the host (default 22)'),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    rejectName(args.role);
    rejectOtherFlags(flags);
    const { mount } = flags;
    const list = (parts: readonly string[] | undefined): string | undefined => parts?.join(',');
    const on = (value: boolean): true | undefined => (value ? true : undefined);
    const fields = {
      key_type: flags.keyType ?? 'ca',
      allow_user_certificates: on(flags.allowUserCertificates),
      allow_host_certificates: on(flags.allowHostCertificates),
      allowed_users: list(flags.allowedUsers),
      allowed_users_template: on(flags.allowedUsersTemplate),
      default_user: flags.defaultUser,
      default_user_template: on(flags.defaultUserTemplate),
      allowed_domains: list(flags.allowedDomains),
      allowed_domains_template: on(flags.allowedDomainsTemplate),
      allow_bare_domains: on(flags.allowBareDomains),
      allow_subdomains: on(flags.allowSubdomains),
      allow_empty_principals: on(flags.allowEmptyPrincipals),
      ttl: flags.ttl,
      max_ttl: flags.maxTtl,
      not_before_duration: flags.notBeforeDuration,
      default_extensions: flags.defaultExtension && { ...flags.defaultExtension },
      default_extensions_template: on(flags.defaultExtensionsTemplate),
      allowed_extensions: list(flags.allowedExtensions),
      default_critical_options: flags.defaultCriticalOption && { ...flags.defaultCriticalOption },
      allowed_critical_options: list(flags.allowedCriticalOptions),
      allow_user_key_ids: on(flags.allowUserKeyIds),
      key_id_format: flags.keyIdFormat,
      allowed_user_key_lengths: flags.allowedUserKeyLength && { ...flags.allowedUserKeyLength },
      algorithm_signer: flags.algorithmSigner,
      issuer_ref: flags.issuerRef,
      allow_commas_in_identity_templates: on(flags.allowCommasInIdentityTemplates),
      cidr_list: list(flags.cidrList),
      exclude_cidr_list: list(flags.excludeCidrList),
      port: flags.port,
    } satisfies Optional<SshRoleFields>;
    const secrets = await ctx.api.secrets();
    const rolePath = { mount, role: args.role };
    const requested = openBaoFields.filter((name) => fields[name] !== undefined);
    if (requested.length > 0) await requireFields(secrets, rolePath, requested);
    const preserved = await preservedFields(secrets, rolePath, fields, ctx.output);
    const role = { ...preserved, ...compact(fields) };
    const response = await confirmWrite(
      () => secrets.putRole({ ...rolePath, ...role }),
      async () => {
        const existing: Readonly<Record<string, unknown>> = (await secrets.readRole(rolePath)).body.data;
        const same =
          existing.key_type === role.key_type && existing.allowed_users === (role.allowed_users ?? '');
        return {
          done: false,
          found: `the role exists${same ? ' with the same key type and allowed users' : ' with other fields'}`,
        };
      },
    );
    showWarnings(ctx.output, response?.body);
    if (requested.length > 0) await confirmFields(secrets, rolePath, requested, response?.body);
    const also = Object.keys(preserved).map((name) => `${name}=${formatValue(preserved[name])}`);
    return {
      data: response?.body ?? null,
      document: [
        text('Wrote role ', code(args.role), '.'),
        ...(also.length === 0 ? [] : [text(`Kept from the existing role: ${also.join(', ')}`)]),
      ],
    };
  },
});

interface RolePath {
  readonly mount: string;
  readonly role: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields of OpenBao, which other products silently ignore. */
const openBaoFields = ['issuer_ref', 'allow_commas_in_identity_templates'] as const;

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : formatJson(value));

/**
 * The fields of an existing role that have no flag, and its issuer unless one is given: a write replaces the role and
 * would reset them. Nothing is kept of a role of another type.
 *
 * @throws LanyardError when the role cannot be read, except for a missing permission and in a dry run.
 */
async function preservedFields(
  secrets: SecretsClient,
  rolePath: RolePath,
  given: Optional<SshRoleFields>,
  output: Pick<Context['output'], 'warn' | 'isDryRun'>,
): Promise<Fields> {
  let existing: Fields;
  try {
    existing = (await secrets.readRole(rolePath)).body.data;
  } catch (error) {
    if (
      isEmptyListError(error) ||
      (output.isDryRun && error instanceof LanyardError && error.kind !== 'usage')
    )
      return {};
    if (!(error instanceof LanyardError) || error.kind !== 'forbidden') throw error;
    output.warn(`cannot read role ${rolePath.role}: permission denied; its issuer is reset to the default`);
    return {};
  }
  if (existing.key_type !== given.key_type) return {};
  return Object.fromEntries(
    Object.entries(existing).filter(([name, value]) =>
      name === 'issuer_ref'
        ? given.issuer_ref === undefined && value !== 'default' && value !== ''
        : !Object.hasOwn(given, name),
    ),
  );
}

const unsupportedError = (names: readonly string[]): string =>
  `the service does not support ${names.map((name) => `--${name.replaceAll('_', '-')}`).join(' and ')}`;

/** Checks the help of the path for these fields. @throws LanyardError failure: some are not supported. */
async function requireFields(
  secrets: SecretsClient,
  { mount, role }: RolePath,
  names: readonly string[],
): Promise<void> {
  const help = await readHelp(secrets, `${mount}/roles/${role}`);
  const missing = names.filter((name) => lacksParameter(help, 'allowed_users', name));
  if (missing.length === 0) return;
  throw new LanyardError('failure', `cannot write role ${role}: ${unsupportedError(missing)}`, {
    service: 'secrets',
  });
}

/** Reads the role back: unsupported fields are ignored. @throws LanyardError unknown: some were. */
async function confirmFields(
  secrets: SecretsClient,
  rolePath: RolePath,
  names: readonly string[],
  written: Parameters<typeof ignoredParameters>[0],
): Promise<void> {
  const role: Fields | undefined = await secrets.readRole(rolePath).then(
    ({ body }) => body.data,
    () => undefined,
  );
  const ignored = ignoredParameters(written);
  const missing = names.filter((name) => ignored.includes(name) || (role && !Object.hasOwn(role, name)));
  if (missing.length === 0) return;
  throw new LanyardError('unknown', `role ${rolePath.role} was written, but ${unsupportedError(missing)}`, {
    service: 'secrets',
    hint: `Run \`lanyard ssh role get ${rolePath.role}\` to see the current role.`,
  });
}

/**
 * A name must be valid in a path of the service. Names that would lead to another path are rejected for every operation.
 *
 * @throws LanyardError usage
 */
function rejectName(name: string): void {
  if (/^\w(?:[\w.@-]*\w)?$/.test(name) || /[/\p{Cc}]|^$|\.$/u.test(name)) return;
  throw usage(`invalid role name ${JSON.stringify(name)}`, {
    hint: 'Use letters, digits and "_"; ".", "@" and "-" are allowed inside the name.',
  });
}

/** The flags for type otp and for both types; all others are for type ca. */
const otpFlags = ['cidrList', 'excludeCidrList', 'port'];
const commonFlags = [
  ...['keyType', 'mount'],
  ...['defaultUser', 'defaultUserTemplate', 'allowedUsers', 'allowedUsersTemplate'],
];

/** @throws LanyardError usage: a flag that the type of the role does not support. */
function rejectOtherFlags(flags: Readonly<Record<string, unknown>>): void {
  const type = flags.keyType ?? 'ca';
  const unexpected = Object.keys(flags).find((name) => {
    const isGiven = flags[name] !== undefined && flags[name] !== false;
    return isGiven && !commonFlags.includes(name) && otpFlags.includes(name) !== (type === 'otp');
  });
  if (unexpected === undefined) return;
  throw usage(`--${toKebabCase(unexpected)} is not supported by roles of type ${type}`, {
    hint: `Use it with --key-type ${type === 'ca' ? 'otp' : 'ca'}.`,
  });
}

type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };
