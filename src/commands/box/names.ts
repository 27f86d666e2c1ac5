import { type Arg, arg, flag } from '../../command.ts';
import { LanyardError, usage } from '../../errors.ts';

/** A box by its owner and its name, as the paths have them. */
export interface BoxName {
  readonly username: string;
  readonly name: string;
}

const word = /^[\w.-]+$/;
const dots = /^\.+$/;
// As versions of gems are: 1, 1.2, 1.2.3.rc1, 1.2.3-beta.1.
const versionForm = /^\d+(\.[0-9A-Za-z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

/** @throws LanyardError usage: it could not be a part of a path. */
export function checkedName(what: string, name: string): string {
  if (word.test(name) && !dots.test(name)) return name;
  throw usage(`${what} "${name}" is not one that a box registry has`, {
    hint: 'A name has letters, digits, "-", "_" and ".", and is not made of dots alone.',
  });
}

/** @throws LanyardError usage: it is not in the form of a version. */
export function checkedVersion(version: string): string {
  if (versionForm.test(version)) return version;
  throw usage(`"${version}" is not a version`, {
    hint: 'A version begins with a number and goes on with parts after dots: 1.0.0, 20261120.1, 1.2.0-rc.1.',
  });
}

/**
 * A name that the service gave, held to the rules of those that users give: a file is named after it.
 * @throws LanyardError failure: it breaks them.
 */
export function served(checked: () => string): string {
  try {
    return checked();
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    throw new LanyardError('failure', `unexpected response from the box registry: ${error.message}`, {
      service: 'box',
    });
  }
}

function boxName(text: string): BoxName {
  const [username, name, ...more] = text.split('/');
  if (username === undefined || name === undefined || more.length > 0)
    throw usage(`a box is named OWNER/NAME, not "${text}"`);
  return { username: checkedName('the owner', username), name: checkedName('the box', name) };
}

const parsed = <Value>(text: Arg<string>, parse: (text: string) => Value): Arg<Value> => ({
  ...text,
  parse: (values) => parse(text.parse(values)),
});

export const boxArg = parsed(arg.text('OWNER/NAME', 'the box'), boxName);
export const versionArg = parsed(arg.text('VERSION', 'the version, such as 1.0.0'), checkedVersion);
export const providerArg = parsed(
  arg.text('PROVIDER', 'the provider, such as virtualbox or libvirt'),
  (name) => checkedName('the provider', name),
);
export const ownerArg = parsed(arg.text('NAME', 'the user or the organisation'), (name) =>
  checkedName('the owner', name),
);

/** Those that box registries know (docs/protocol/box.md#architectures). */
const architectures = [
  ...['amd64', 'i386', 'arm', 'arm64', 'ppc64le', 'ppc64', 'mips64le', 'mips64', 'mipsle', 'mips', 's390x'],
  'unknown',
] as const;

export const architectureFlag = flag.choice(
  architectures,
  'of several providers of one name, the one for this architecture',
  { value: 'ARCH' },
);

/** `dev/web`, for messages. */
export const tagOf = ({ username, name }: BoxName): string => `${username}/${name}`;
