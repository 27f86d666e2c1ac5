import { isWithoutCa } from '../../../../api/conditions/secrets.ts';
import type { Context } from '../../../../command/context.ts';
import { splitList } from '../../../../command/flag-values.ts';
import { isFailure, isForbidden, LanyardError } from '../../../../errors.ts';
import type { PublicKeyInfo } from '../../../../ssh/types.ts';
import type { SshSignBody } from '../../../../wire/secrets.ts';
import { readCa, readMountLifetimes } from '../role-context.ts';
import type { Role } from '../role-question.ts';
import { judge, usesMountLifetimes } from '../role-rules.ts';
import type { OtpFacts, ServiceFacts } from './facts.ts';

/** What the service says without a token: the key of the CA, and its time. A problem is not an error. */
export async function readPublicState(mount: string, ctx: Context): Promise<ServiceFacts> {
  const facts: ServiceFacts = {
    mount,
    role: undefined,
    state: undefined,
    message: undefined,
    roleState: undefined,
    judgements: [],
    caFingerprints: undefined,
    isWithoutCa: false,
    rejection: undefined,
    clockAhead: undefined,
    otp: undefined,
  };
  try {
    const secrets = await ctx.api.secrets({ retries: 0 });
    const sentAt = ctx.system.clock().getTime();
    const { body, headers } = await secrets.publicKey({ mount });
    const date = Date.parse(headers.date ?? '');
    const ca = (await ctx.ssh.keys()).readPublicKey(body, "the CA's public key").info;
    return {
      ...facts,
      state: 'ok',
      message: `the CA of ${mount}/ is ${ca.fingerprint}`,
      caFingerprints: [ca.fingerprint],
      // The header has no fractions of a second.
      clockAhead: Number.isNaN(date) ? undefined : Math.trunc((date - sentAt) / 1000),
    };
  } catch (error) {
    if (isWithoutCa(error))
      return { ...facts, state: 'ok', message: `${mount}/ has no CA`, isWithoutCa: true };
    if (!isFailure(error)) throw error;
    return { ...facts, message: [error.message, ...error.details].join(': ') };
  }
}

/** A role as the service returns it; otherwise why it cannot be used. */
export async function readRoleState(
  before: ServiceFacts,
  role: string,
  ctx: Context,
): Promise<{ readonly facts: ServiceFacts; readonly fields: Role | undefined }> {
  const facts = { ...before, role };
  try {
    const { body } = await (await ctx.api.secrets()).readRole({ mount: before.mount, role });
    return {
      facts: { ...facts, state: 'ok', message: `responds, the token may read role ${role}` },
      fields: body.data,
    };
  } catch (error) {
    // A missing address is an error of the command line.
    if (!isFailure(error) || error.kind === 'usage') throw error;
    return { facts: { ...facts, ...(await stateOf(error, ctx)) }, fields: undefined };
  }
}

async function stateOf(
  error: LanyardError,
  ctx: Context,
): Promise<Pick<ServiceFacts, 'state' | 'message' | 'roleState'>> {
  const { message } = error;
  if (error.kind === 'not_found') return { state: 'ok', message: 'responds', roleState: 'missing' };
  if (error.kind !== 'unauthenticated' && !isForbidden(error))
    return { state: 'unreachable', message, roleState: undefined };
  // OpenBao and Vault respond to an expired token as to a missing permission.
  const { token, problem } = await ctx.api.probe('secrets');
  if (token === 'none') return { state: 'no token', message, roleState: undefined };
  return token === 'expired' || token === 'not accepted'
    ? { state: 'token rejected', message: problem ?? message, roleState: undefined }
    : { state: 'ok', message: 'responds', roleState: 'unreadable' };
}

/** Whether a role would sign a request. */
export async function judgeRequest(
  facts: ServiceFacts,
  {
    role,
    request,
    key,
  }: {
    readonly role: Role;
    readonly request: Omit<SshSignBody, 'public_key'>;
    readonly key: PublicKeyInfo;
  },
  ctx: Context,
): Promise<ServiceFacts> {
  const ca = await readCa(facts.mount, role, ctx).catch((error: unknown) => {
    if (!isFailure(error)) throw error;
    return undefined;
  });
  const mount = usesMountLifetimes({ role, request })
    ? await readMountLifetimes(facts.mount, ctx)
    : undefined;
  const judgements = judge({ role, request, key, ca, mount }).filter(({ rule }) => rule !== 'ca');
  const isRejected = judgements.some(({ verdict }) => verdict === 'no');
  return {
    ...facts,
    judgements,
    roleState: isRejected ? 'rejects' : judgements.length > 0 ? 'depends' : 'signs',
    caFingerprints: ca === undefined ? facts.caFingerprints : [ca.fingerprint],
  };
}

/** Which roles issue passwords for an address, and for whom. */
export async function readOtp(
  facts: ServiceFacts,
  { address, role }: { readonly address: string; readonly role: Role | undefined },
  ctx: Context,
): Promise<ServiceFacts> {
  const matchingRoles = await (await ctx.api.secrets())
    .lookupRoles({ mount: facts.mount, ip: address })
    .then(({ body }) => body.data.roles ?? [])
    .catch((error: unknown) => {
      if (error instanceof LanyardError && error.kind !== 'interrupted') return undefined;
      throw error;
    });
  const otp: OtpFacts | undefined = matchingRoles && {
    address,
    matchingRoles,
    allowedUsers: role && allowedUsers(role),
  };
  return { ...facts, otp, roleState: role === undefined ? facts.roleState : 'signs' };
}

/** Without allowed_users, a role issues passwords for its default user only. */
function allowedUsers({ allowed_users: allowed, default_user: user }: Role): string[] | undefined {
  const texts = [allowed, user].flatMap((value) => (typeof value === 'string' ? splitList(value) : []));
  return texts.length === 0 ? undefined : [...new Set(texts)];
}
