import {
  hasNoDefaultIssuer,
  ignoredParameters,
  isExistingCa,
  isWithoutCa,
  lacksParameter,
} from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { command, flag, showWarnings, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, conflict, type ErrorFacts, isFailure, isKind, LanyardError } from '../../../errors.ts';
import { code, rawLine, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import type { SshCaBody } from '../../../wire/secrets.ts';
import { type Issuers, readIssuers } from '../lib/ca/issuers.ts';
import { decodeBlob, keyPairFlags, readKeyPair } from '../lib/ca/key-pair.ts';
import { mountFlag } from '../lib/mount.ts';
import { readHelp } from '../lib/read-help.ts';

const caFlags = {
  ...keyPairFlags,
  managedKeyName: flag.name('NAME', 'name of the managed key to use'),
  managedKeyId: flag.name('ID', 'ID of the managed key to use'),
  mount: mountFlag,
} as const;

type CaFlags = Values<typeof caFlags>;

export default command({
  description:
    'The service generates the key pair unless you import one or use a managed key; the private key never leaves the service. An existing CA is not replaced: "ssh ca rotate" replaces it without rejected logins.',
  examples: [
    'lanyard ssh ca create --key-type ed25519',
    'lanyard ssh ca create --private-key ca --public-key ca.pub',
  ],
  service: 'secrets',
  writes: 'after reads',
  flags: caFlags,
  async run({ flags }, ctx) {
    const { mount } = flags;
    const given = await readKeyPair(flags, ctx);
    const secrets = await ctx.api.secrets();
    const body: SshCaBody = compact({
      ...given,
      key_type: flags.keyType || undefined,
      key_bits: flags.keyBits,
      managed_key_name: flags.managedKeyName || undefined,
      managed_key_id: flags.managedKeyId || undefined,
    });
    const before = await requireNoCa(secrets, mount, ctx.output);
    const managed = managedFlag(flags);
    if (managed !== undefined) await requireManagedKeys(secrets, mount);
    const response = await confirmWrite(
      () => secrets.createCa({ mount, ...body }).catch(describeExistingCa(mount)),
      async () => {
        const currentCa = (await secrets.readCa({ mount })).body.data.public_key.trim();
        return {
          done: given.public_key !== undefined && currentCa.startsWith(decodeBlob(given.public_key)),
          found: `a CA is configured now: ${currentCa}`,
        };
      },
    );
    if (!response) ctx.output.warn('the response was lost, but the CA was created');
    showWarnings(ctx.output, response?.body);
    const ignored = ignoredParameters(response?.body).some((name) => name.startsWith('managed_key'));
    if (managed !== undefined && ignored) throw notManagedError(managed, mount, response?.body?.data);
    await confirmOnlyIssuer(secrets, mount, before, response?.body?.data, ctx);
    const created = response?.body?.data?.public_key;
    const document =
      typeof created === 'string'
        ? [text('Created the CA. Its public key:'), rawLine(created)]
        : [text('Created the CA. Run ', code('lanyard ssh ca get'), ' for its public key.')];
    return { data: response?.body ?? null, payload: response?.body?.data ?? null, document };
  },
});

const conflictError = (mount: string, facts: ErrorFacts): LanyardError =>
  conflict(`cannot create CA: ${mount}/ already has a CA`, {
    service: 'secrets',
    hint: 'Run `lanyard ssh ca rotate start` to replace it without rejected logins.',
    ...facts,
  });

/** Services respond with 400 for an existing CA; the error is a conflict. */
const describeExistingCa =
  (mount: string) =>
  (error: unknown): never => {
    if (!isExistingCa(error)) throw error;
    throw conflictError(mount, { status: error.status, details: error.details });
  };

/**
 * Ensures that the mount has no CA: some products add a second issuer and make it the default, others reject it. The
 * token need not have permission to read the CA: the public key is readable without one.
 *
 * @returns the IDs of the issuers that the mount has, none of which is the default; undefined: not known.
 * @throws LanyardError conflict: the CA exists; any error of the request, except in a dry run.
 */
async function requireNoCa(
  secrets: SecretsClient,
  mount: string,
  { isDryRun }: Pick<Context['output'], 'isDryRun'>,
): Promise<readonly string[] | undefined> {
  const key = await readCaPublicKey(secrets, mount).catch((error: unknown) => {
    const canContinue =
      isWithoutCa(error) || (isDryRun && error instanceof LanyardError && error.kind !== 'usage');
    if (canContinue) return error;
    throw error;
  });
  if (typeof key === 'string') throw conflictError(mount, { details: [`Its public key: ${key.trim()}`] });
  return hasNoDefaultIssuer(key) ? (await readIssuers(secrets, mount))?.ids : undefined;
}

async function readCaPublicKey(secrets: SecretsClient, mount: string): Promise<string> {
  try {
    return (await secrets.readCa({ mount })).body.data.public_key;
  } catch (error) {
    if (!isKind('forbidden', 'unauthenticated')(error)) throw error;
    return secrets.publicKey({ mount }).then(
      ({ body }) => body,
      (other: unknown) => {
        // Without an engine at the mount this is forbidden too; the first error has more information.
        throw isWithoutCa(other) ? other : error;
      },
    );
  }
}

const managedFlag = (flags: CaFlags): string | undefined =>
  flags.managedKeyName ? '--managed-key-name' : flags.managedKeyId ? '--managed-key-id' : undefined;

/**
 * Checks the help of the path for managed keys: a service without them ignores the fields and generates a key pair.
 * Without access to the help, the response is checked instead.
 *
 * @throws LanyardError failure: not supported.
 */
async function requireManagedKeys(secrets: SecretsClient, mount: string): Promise<void> {
  const help = await readHelp(secrets, `${mount}/config/ca`);
  if (!lacksParameter(help, 'generate_signing_key', 'managed_key_name')) return;
  throw new LanyardError('failure', 'cannot create CA: the service does not support managed keys', {
    service: 'secrets',
  });
}

type CaResponse = Readonly<Record<string, unknown>> | null | undefined;

const notManagedError = (flag: string, mount: string, created: CaResponse): LanyardError =>
  new LanyardError('unknown', `the service ignored ${flag} and generated a key pair of its own for the CA`, {
    service: 'secrets',
    details:
      typeof created?.public_key === 'string' ? [`The CA in ${mount}/: ${created.public_key.trim()}`] : [],
    hint: 'Run `lanyard ssh ca delete` to delete it; the service does not support managed keys.',
  });

/**
 * Checks whether another CA was created at the same time, on products with several issuers: the last one is the default.
 * If the issuers cannot be listed, a warning is printed.
 *
 * @throws LanyardError unknown: it was; both CAs are named.
 */
async function confirmOnlyIssuer(
  secrets: SecretsClient,
  mount: string,
  before: readonly string[] | undefined,
  created: CaResponse,
  { output }: Context,
): Promise<void> {
  const ownId = created?.issuer_id;
  if (typeof ownId !== 'string' || before === undefined) return;
  const unchecked = (cause: string): void =>
    output.warn(`cannot check whether another CA was created in ${mount}/ at the same time: ${cause}`);
  let now: Issuers | undefined;
  try {
    now = await readIssuers(secrets, mount);
  } catch (error) {
    if (isFailure(error)) return unchecked(error.message);
    throw error;
  }
  if (!now) return unchecked('the service does not list the issuers');
  const others = now.ids.filter((id) => id !== ownId && !before.includes(id));
  if (others.length === 0 && now.ids.includes(ownId)) return;
  throw new LanyardError('unknown', `another CA was created or deleted in ${mount}/ at the same time`, {
    service: 'secrets',
    details: [
      `Created here: issuer ${ownId}${now.ids.includes(ownId) ? '' : ', which no longer exists'}`,
      ...others.map((id) => `Created at the same time: issuer ${id}`),
      `Default issuer: ${now.byDefault ?? 'unknown'}`,
    ],
    hint: `Run "lanyard ssh issuer use ID --mount ${mount}" to choose the issuer that signs, and "lanyard ssh issuer delete ID --mount ${mount}" to delete the other.`,
  });
}
