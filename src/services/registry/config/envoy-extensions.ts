import { isObject } from '../../../wire/objects.ts';
import type { EnvoyExtension } from './entry.ts';

const builtin: readonly string[] = [
  'builtin/aws/lambda',
  'builtin/ext-authz',
  'builtin/lua',
  'builtin/otel-access-logging',
  'builtin/property-override',
  'builtin/wasm',
];

/** Why extensions are invalid; their arguments are not checked. */
export function extensionErrors(extensions: readonly EnvoyExtension[] = []): string[] {
  return extensions.flatMap((extension, index) => {
    const where = `invalid EnvoyExtensions[${index}]`;
    const { Name = '', ConsulVersion = '', EnvoyVersion = '' } = extension;
    if (Name === '') return [`${where}: Name is required`];
    const envoy = constraintError(EnvoyVersion);
    if (envoy !== undefined) return [`${where}.EnvoyVersion: ${envoy}`];
    const consul = constraintError(ConsulVersion);
    if (consul !== undefined) return [`${where}.ConsulVersion: ${consul}`];
    if (builtin.includes(Name)) return [];
    return [`${where}[${Name}]: name ${JSON.stringify(Name)} is not a built-in extension`];
  });
}

const constraint = /^\s*(=|!=|>|<|>=|<=|~>)?\s*v?\d+(\.\d+)*(-[\w.~-]+)?(\+[\w.~-]+)?\s*$/;

function constraintError(constraints: string): string | undefined {
  if (constraints === '') return undefined;
  const malformed = constraints.split(',').find((each) => !constraint.test(each));
  return malformed === undefined ? undefined : `Malformed constraint: ${malformed}`;
}

/** All fields of extensions are shown, empty ones too. Entries of earlier versions may have stored anything. */
export function completeExtensions(extensions: unknown): Required<EnvoyExtension>[] {
  return Array.isArray(extensions) ? extensions.filter(isObject).map(completeExtension) : [];
}

function completeExtension(extension: EnvoyExtension): Required<EnvoyExtension> {
  const { Name = '', Required = false, Arguments = null, ConsulVersion = '', EnvoyVersion = '' } = extension;
  return { Name, Required, Arguments, ConsulVersion, EnvoyVersion };
}
