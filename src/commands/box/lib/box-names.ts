import { type Arg, arg, flag } from '../../../command/command.ts';
import { LanyardError, usage } from '../../../errors.ts';

/** The owner and name of a box, as in request paths. */
export interface BoxName {
  readonly username: string;
  readonly name: string;
}

const namePattern = /^[\w.-]+$/;
const dotsPattern = /^\.+$/;
// The form of gem versions: 1, 1.2, 1.2.3.rc1, 1.2.3-beta.1.
const versionPattern = /^\d+(\.[0-9A-Za-z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

/** @throws LanyardError usage: the name is not a valid path segment. */
export function checkName(what: string, name: string): string {
  if (namePattern.test(name) && !dotsPattern.test(name)) return name;
  throw usage(`invalid ${what} name "${name}": expected letters, digits, "-", "_" and ".", not only dots`);
}

/** @throws LanyardError usage: an invalid version. */
export function checkVersion(version: string): string {
  if (versionPattern.test(version)) return version;
  throw usage(`invalid version "${version}": expected a version such as 1.0.0, 20261120.1 or 1.2.0-rc.1`);
}

/**
 * Checks a name from the service by the rules for user input, because it becomes part of a file name.
 * @throws LanyardError failure: an invalid name.
 */
export function asServerData(checked: () => string): string {
  try {
    return checked();
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    throw new LanyardError('failure', `unexpected response from the box registry: ${error.message}`, {
      service: 'box',
    });
  }
}

function parseBoxName(text: string): BoxName {
  const [username, name, ...more] = text.split('/');
  if (username === undefined || name === undefined || more.length > 0)
    throw usage(`invalid box "${text}": expected OWNER/NAME`);
  return { username: checkName('owner', username), name: checkName('box', name) };
}

const withParser = <Value>(text: Arg<string>, parse: (text: string) => Value): Arg<Value> => ({
  ...text,
  parse: (values) => parse(text.parse(values)),
});

export const boxArg = withParser(
  arg.text('OWNER/NAME', 'box, such as dev/web', { completes: 'box' }),
  parseBoxName,
);
export const versionArg = withParser(
  arg.text('VERSION', 'version, such as 1.0.0', { completes: 'box-version' }),
  checkVersion,
);
export const providerArg = withParser(
  arg.text('PROVIDER', 'provider, such as virtualbox or libvirt', { completes: 'box-provider' }),
  (name) => checkName('provider', name),
);
export const ownerArg = withParser(
  arg.text('NAME', 'user or organization', { completes: 'box-owner' }),
  (name) => checkName('owner', name),
);

export const organizationArg = withParser(
  arg.text('NAME', 'name of the organization, such as acme'),
  (name) => checkName('organization', name),
);

/** The architectures of box registries (docs/protocol/box.md#architectures). */
const architectures = [
  ...['amd64', 'i386', 'arm', 'arm64', 'ppc64le', 'ppc64', 'mips64le', 'mips64', 'mipsle', 'mips', 's390x'],
  'unknown',
] as const;

export const architectureFlag = flag.choice(architectures, 'architecture of the provider', { value: 'ARCH' });

/** `dev/web`, for messages. */
export const boxTag = ({ username, name }: BoxName): string => `${username}/${name}`;
