import type { Settings } from '../../api/settings.ts';
import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { code, raw, text } from '../../output/document.ts';
import { shellWord } from '../../wire/printable.ts';
import { signingDefaults } from './lib/defaults.ts';
import { locationText } from './lib/history/location.ts';
import { defaultKeys, mountFlag } from './lib/mount.ts';
import { recordFlag, recordLocation } from './lib/record.ts';

/** Timeout of one renewal attempt during a login; there are up to three. */
const checkTimeout = '1s';

export default command({
  description: 'Writes an include file with a dedicated key and a certificate that is renewed automatically.',
  examples: [
    'lanyard ssh config web1 web2 --role deploy --user ubuntu --install',
    "lanyard ssh config '*.example.com' --role deploy --dry-run",
  ],
  service: 'secrets',
  writes: true,
  changes: ['files', 'ssh files'],
  args: { hosts: arg.rest('HOST', 'host names or patterns', 1) },
  flags: {
    role: flag.text('ROLE', 'role to sign with (default: from settings)', { completes: 'ssh-role' }),
    user: flag.name('USER', 'login user and principal (default: ssh and role)'),
    out: flag.name('FILE', 'include file (default: in ~/.ssh/lanyard)', { completes: 'file' }),
    install: flag.boolean('add the Include line to the top of ~/.ssh/config'),
    timeout: flag.duration('timeout per renewal attempt, at most 3 (default 1s)'),
    dryRun: flag.boolean('print the file without writing it'),
    record: recordFlag,
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const folder = `${ctx.system.home}/.ssh/lanyard`;
    const { mount } = flags;
    const { role, principals } = await signingDefaults(
      { ...flags, principals: flags.user === undefined ? undefined : [flags.user] },
      ctx,
    );
    const settings = await ctx.api.settings('secrets');
    const cluster = clusterFlags(settings);
    const name = [settings.profile, mount === 'ssh' ? undefined : mount, role, flags.user]
      .filter((part) => part !== undefined)
      .join('-')
      .replace(/[^\w.@-]/g, '_');
    const key = `${folder}/${name}`;
    // A login uses only the settings in its command line.
    const location = await recordLocation(flags.record, ctx);
    const record = location && locationText(location);
    const check = [
      ...(await ctx.system.installedCommand()),
      ...['ssh', 'sign', role, '--if-needed', '--for-login', '--key', `${key}.pub`],
      ...(principals === undefined ? [] : ['--principals', principals.join(',')]),
      ...(record === undefined ? [] : ['--record', record]),
      ...['--mount', mount, ...cluster],
      ...['--timeout', flags.timeout ?? checkTimeout, '--quiet', '--no-input'],
    ];
    const configuration = await ctx.ssh.configuration();
    const content = configuration.clientConfig({
      hosts: args.hosts,
      user: flags.user,
      key,
      checkCommand: check,
      otherKeys: await existingDefaultKeys(ctx),
      generatedBy: commandLine(args.hosts, { ...flags, role, record }, cluster),
    });
    warnAboutVariables(settings, ctx);
    if (flags.dryRun) return { data: { content }, document: [raw(content)] };

    const out = flags.out === undefined ? `${key}.conf` : ctx.files.absolute(flags.out);
    const target = {
      path: out,
      replace: { matches: configuration.isClientConfig, mismatch: notCreatedByLanyard },
    };
    if (await ctx.files.exists(out)) await ctx.files.checkWritable([target]);
    await ctx.files.createDirectory(folder);
    const include = `Include ${flags.out === undefined ? '~/.ssh/lanyard/*.conf' : quotePath(out)}`;
    const own = `${ctx.system.home}/.ssh/config`;
    if (flags.install) await ctx.files.checkWritable([{ path: own, replace: true }]);
    await createKey(key, `lanyard ${name}`, ctx);
    await ctx.files.write([{ ...target, content }]);
    const file = { path: own, what: 'your ssh configuration', mode: 0o600 };
    const added = flags.install
      ? await ctx.files.edit(file, (before) => configuration.withInclude(before, include))
      : false;
    const existing = flags.install || (await hasInclude(own, include, ctx));
    return {
      data: { file: out, key, include, installed: existing, changed: added },
      document: [
        text('Wrote ', code(out), '.'),
        ...(added ? [text('Added the line ', code(include), ' to ', code(own), '.')] : []),
        ...(existing
          ? []
          : [text('Add this line to the top of ', code(own), ', or use --install:'), raw(`${include}\n`)]),
      ],
    };
  },
});

const notCreatedByLanyard = 'was not created by "lanyard ssh config"';

const quotePath = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);

/** The command that creates the file again. */
function commandLine(
  hosts: readonly string[],
  flags: Readonly<Record<'role' | 'user' | 'mount' | 'record' | 'out' | 'timeout', string | undefined>> & {
    readonly install: boolean;
  },
  cluster: readonly string[],
): string {
  const { role, user, mount, record, timeout, out } = flags;
  const ownMount = mount === 'ssh' ? undefined : mount;
  const values = Object.entries({ role, user, mount: ownMount, record, timeout, out });
  const given = values.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  const words = [...hosts, ...given, ...(flags.install ? ['--install'] : []), ...cluster];
  return `lanyard ssh config ${words.map(shellWord).join(' ')}`;
}

/** Flags that bind a command line to the profile, or else the address, and the namespace of the settings. */
const clusterFlags = ({ profile, address, namespace }: Settings): readonly string[] => [
  ...(profile === undefined ? ['--address', address] : ['--profile', profile]),
  ...(namespace === undefined || namespace === '' ? [] : ['--namespace', namespace]),
];

/** Logins do not use variables that a profile is combined with. */
function warnAboutVariables({ profile, from }: Settings, ctx: Context): void {
  if (profile === undefined) return;
  const { address: _, namespace: _namespace, ...others } = from;
  const names = new Set(Object.values(others).filter((source) => /^[A-Z_]+$/.test(source)));
  for (const name of names)
    ctx.output.warn(
      `${name} is not written to the file: logins use the settings of profile "${profile}" alone. Set it with "lanyard profile put ${profile}"`,
    );
}

/** The user's default keys, which ssh does not try if another key is configured. */
async function existingDefaultKeys({ files, system }: Context): Promise<string[]> {
  const paths = defaultKeys.map((name) => `${system.home}/.ssh/${name}`);
  const existing = await Promise.all(paths.map((path) => files.exists(path)));
  return paths.filter((_path, index) => existing[index]);
}

/** Creates a key pair for these logins, unless it exists. */
async function createKey(path: string, comment: string, ctx: Context): Promise<void> {
  const keys = await ctx.ssh.keys();
  if (!(await ctx.files.exists(path))) {
    const pair = keys.generate(comment);
    await ctx.files.write([
      { path, content: pair.privateKey, replace: false },
      { path: `${path}.pub`, content: `${pair.publicKey}\n`, replace: true },
    ]);
    return;
  }
  // Otherwise a pipe would block.
  await ctx.files.checkWritable([{ path, replace: true }]);
  if (await ctx.files.exists(`${path}.pub`)) return;
  const { line } = await keys.derivePublicKey(await ctx.files.readText(path, 'the private key'), path);
  await ctx.files.write([{ path: `${path}.pub`, content: `${line}\n`, replace: false }]);
}

/** Whether ssh's configuration has the line. If it cannot be read, the hint says to add it. */
async function hasInclude(path: string, include: string, ctx: Context): Promise<boolean> {
  // Otherwise a pipe would block.
  if (!(await ctx.files.isFile(path))) return false;
  const before = await ctx.files.readText(path, 'your ssh configuration').catch(() => undefined);
  return before !== undefined && (await ctx.ssh.configuration()).withInclude(before, include) === before;
}
