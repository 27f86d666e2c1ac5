import type { TokenProperties } from '../../../../api/secrets-tokens.ts';
import type { Context } from '../../../../command/context.ts';
import { insteadOf, type Kind, LanyardError } from '../../../../errors.ts';
import { countText } from '../../../../output/humanize.ts';
import type { CertificateInfo } from '../../../../ssh/types.ts';
import { certificateFields, entryName, type SignedCertificate, signedCertificate } from './entry.ts';
import { locationText, type RecordLocation } from './location.ts';
import { openStore } from './open-store.ts';

/** What a record has about a certificate besides its own fields. */
export interface SignedWith {
  readonly mount: string;
  readonly role: string;
}

/** Records certificates. A failure is a warning: the certificate is signed, and valid (docs/adr/0095-record-of-signed-certificates.md). */
export interface Recorder {
  add(certificate: CertificateInfo, signedWith: SignedWith): Promise<void>;
  /** Warns of the certificates that were not recorded, besides the first one, which had a warning. */
  summarize(): void;
}

type Requester = Pick<
  SignedCertificate,
  'user' | 'userFrom' | 'username' | 'entityId' | 'client' | 'service' | 'namespace'
>;

/** Errors that every further entry would have: no more are sent. */
const fatalKinds: readonly Kind[] = ['forbidden', 'unauthenticated', 'unreachable', 'usage', 'not_found'];

/** Milliseconds that a signal to the process leaves to the write: the certificate is signed already. */
const graceMs = 2000;

/** Also an interruption: nothing waits for the record of a login. */
const isKnown = (error: unknown): error is LanyardError => error instanceof LanyardError;

/** Opens a record for the certificates of a command. */
export async function recorder(location: RecordLocation, ctx: Context): Promise<Recorder> {
  let fatal: LanyardError | undefined;
  const store = await openStore(location, ctx, { graceMs }).catch((error: unknown) => {
    if (!isKnown(error)) throw error;
    fatal = error;
  });
  let requester: Promise<Requester> | undefined;
  let failures = 0;
  const onFailure = (error: LanyardError, entry: SignedCertificate): void => {
    if (fatalKinds.includes(error.kind)) fatal = error;
    failures += 1;
    if (failures > 1) return;
    const { serial, role } = entry;
    ctx.output.warn(
      `cannot record certificate ${serial} of role ${role} in ${locationText(location)}: ${[error.message, ...error.details].join('; ')}. The certificate is valid, but "lanyard ssh history" does not show it`,
    );
  };
  return {
    async add(certificate, signedWith) {
      requester ??= readRequester(ctx);
      const time = ctx.system.clock().toISOString();
      const entry = signedCertificate({
        time,
        ...(await requester),
        ...signedWith,
        ...certificateFields(certificate),
      });
      try {
        if (fatal) throw fatal;
        await store?.add(entryName(entry), { version: 1, ...entry });
      } catch (error) {
        if (!isKnown(error)) throw error;
        onFailure(error, entry);
      }
    },
    summarize() {
      if (failures > 1) ctx.output.warn(`${countText(failures, 'certificate')} not recorded`);
    },
  };
}

/** Who requests certificates: the token, if it may look itself up, and the local user. */
async function readRequester({ api, system }: Context): Promise<Requester> {
  const [{ address, namespace }, client, token] = await Promise.all([
    api.settings('secrets'),
    system.localUser(),
    readToken(api),
  ]);
  return {
    ...(token ?? { user: client, userFrom: 'local' }),
    client,
    service: withoutUserInfo(address),
    ...(namespace ? { namespace } : {}),
  };
}

async function readToken(api: Context['api']): Promise<Requester | undefined> {
  const secrets = await api.secrets();
  const response = await secrets.lookupSelf({}).catch(insteadOf(isKnown, undefined));
  if (response === undefined) return undefined;
  const {
    display_name: user,
    meta,
    entity_id: entityId,
  } = response.body.data as TokenProperties & {
    readonly entity_id?: unknown;
  };
  if (user === undefined || user === '') return undefined;
  const username = meta?.username;
  return {
    user,
    userFrom: 'token',
    ...(typeof username === 'string' ? { username } : {}),
    ...(typeof entityId === 'string' && entityId !== '' ? { entityId } : {}),
  };
}

/** An address without a user name and password in it. */
const withoutUserInfo = (address: string): string => address.replace(/^([a-z]+:\/\/)[^/@]*@/i, '$1');
