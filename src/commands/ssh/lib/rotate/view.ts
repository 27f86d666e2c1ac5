import type { Context } from '../../../../command/context.ts';
import { type Block, code, dim, fields, type StyledText, strong, text } from '../../../../output/document.ts';
import { countText, formatTimestamp, humanDuration } from '../../../../output/humanize.ts';
import type { Keys } from '../../../../ssh/keys.ts';
import type { TrustedCa } from '../ca/bundle.ts';
import { caText } from '../ca/bundle.ts';
import type { Rotation, RotationPhase } from './types.ts';

/** A CA of a rotation, as data. */
interface RotationCaData {
  /** Mount that has the CA. */
  readonly mount: string;
  /** ID of the issuer; null: the mount has one CA. */
  readonly issuerId: string | null;
  /** Name of the issuer; null: the mount has one CA, or the issuer has no name. */
  readonly issuerName: string | null;
  /** `SHA256:` and base64, as in `ssh-keygen -l`. */
  readonly fingerprint: string;
  /** Public key, one line as in authorized_keys. */
  readonly publicKey: string;
}

/** A rotation, as data. */
export interface RotationData {
  /** Mount whose CA is rotated. */
  readonly mount: string;
  /** `none`, `starting`, `started`, `switching` or `switched`. */
  readonly phase: RotationPhase;
  /** CA that signs until the switch; without a rotation, the CA of the mount. */
  readonly old: RotationCaData;
  /** CA that signs from the switch on; null: it does not exist yet. */
  readonly new: RotationCaData | null;
  /** When the last certificate of the old CA expires, RFC 3339; null: the switch is not complete. */
  readonly oldValidUntil: string | null;
  /** Seconds until then; 0: all have expired; null: the switch is not complete. */
  readonly secondsLeft: number | null;
  /** Roles that name the issuer of the old CA. */
  readonly rolesOfOld: readonly string[];
  /** Command that continues the rotation, or starts one. */
  readonly next: string;
}

export const fingerprintOf = (keys: Keys, { publicKey }: TrustedCa): string =>
  keys.readPublicKey(publicKey, 'the public key of the CA').info.fingerprint;

const caData = (keys: Keys, ca: TrustedCa): RotationCaData => ({
  mount: ca.mount,
  issuerId: ca.issuer?.id ?? null,
  issuerName: ca.issuer?.name || null,
  fingerprint: fingerprintOf(keys, ca),
  publicKey: ca.publicKey,
});

/** Seconds until the last certificate of the old CA expires, at least 0; undefined: the switch is not complete. */
export const secondsLeft = ({ oldValidUntil }: Rotation, now: Date): number | undefined =>
  oldValidUntil && Math.max(0, Math.ceil((oldValidUntil.getTime() - now.getTime()) / 1000));

const nextSteps: Readonly<Record<RotationPhase, string>> = {
  none: 'start',
  starting: 'start',
  started: 'trust',
  switching: 'switch',
  switched: 'retire',
};

/** The command that continues a rotation. */
const nextCommand = ({ phase, mount }: Rotation): string =>
  `lanyard ssh ca rotate ${nextSteps[phase]}${mount === 'ssh' ? '' : ` --mount ${mount}`}`;

/** A rotation as the result of a command, after a sentence about what it did. */
export async function rotationResult(
  rotation: Rotation,
  ctx: Pick<Context, 'ssh' | 'system'>,
  ...did: Block[]
) {
  const keys = await ctx.ssh.keys();
  const left = secondsLeft(rotation, ctx.system.clock());
  const data: RotationData = {
    mount: rotation.mount,
    phase: rotation.phase,
    old: caData(keys, rotation.old),
    new: rotation.new ? caData(keys, rotation.new) : null,
    oldValidUntil: rotation.oldValidUntil?.toISOString().replace(/\.\d+Z$/, 'Z') ?? null,
    secondsLeft: left ?? null,
    rolesOfOld: rotation.rolesOfOld,
    next: nextCommand(rotation),
  };
  return { data, document: [...did, ...rotationView(rotation, keys, left)] };
}

const ofCa = (keys: Keys, ca: TrustedCa): StyledText => [
  strong(fingerprintOf(keys, ca)),
  ' ',
  dim(caText(ca)),
];

function rotationView(rotation: Rotation, keys: Keys, left: number | undefined): Block[] {
  const { phase, old, new: next, rolesOfOld, oldValidUntil } = rotation;
  const rows = fields([
    ['phase', phase],
    [phase === 'none' ? 'CA' : 'old CA', ofCa(keys, old)],
    ['new CA', phase === 'none' ? undefined : next ? ofCa(keys, next) : null],
    ['roles of the old CA', rolesOfOld.length === 0 ? undefined : rolesOfOld.join(', ')],
    [
      'old certificates',
      oldValidUntil &&
        (left
          ? `valid until ${formatTimestamp(oldValidUntil)} (${hoursText(left)} left)`
          : `expired at ${formatTimestamp(oldValidUntil)}`),
    ],
  ]);
  return [rows, text(explanations[phase], ' Next: ', code(nextCommand(rotation)))];
}

const explanations: Readonly<Record<RotationPhase, string>> = {
  none: 'No rotation is in progress.',
  starting: 'The new CA is incomplete.',
  started: 'The old CA signs. Let hosts and clients trust the new one before you switch.',
  switching: 'The switch is incomplete.',
  switched: 'The new CA signs. Hosts and clients must trust both until the old certificates have expired.',
};

/** A remaining time in hours, rounded up; below an hour as a duration: "31 hours", "12 min 5 s". */
export const hoursText = (seconds: number): string =>
  seconds < 3600 ? humanDuration(seconds) : countText(Math.ceil(seconds / 3600), 'hour');
