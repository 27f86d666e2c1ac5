import type { TrustedCa } from '../ca/bundle.ts';

/**
 * `none`: no rotation. `starting`: the new CA is incomplete. `started`: the old CA signs, and hosts should learn to
 * trust the new one. `switching`: it is not recorded yet that only the new CA signs. `switched`: only the new one signs.
 */
export type RotationPhase = 'none' | 'starting' | 'started' | 'switching' | 'switched';

interface RotationState {
  readonly mount: string;
  readonly phase: RotationPhase;
  /** When the last certificate of the old CA expires; undefined before the phase `switched`. */
  readonly oldValidUntil: Date | undefined;
  /** Roles that name the issuer of the old CA. */
  readonly rolesOfOld: readonly string[];
}

/** A CA that is an issuer of its mount. */
export type IssuerCa = TrustedCa & { readonly issuer: NonNullable<TrustedCa['issuer']> };

/** A rotation between two issuers of a mount (OpenBao). */
export interface IssuerRotation extends RotationState {
  readonly kind: 'issuers';
  /** The CA that signs until the switch; in phase `none` the only one. */
  readonly old: IssuerCa;
  /** Undefined in the phases `none` and `starting`. */
  readonly new: IssuerCa | undefined;
}

/** A rotation between two mounts, each with one CA. */
export interface MountRotation extends RotationState {
  readonly kind: 'mounts';
  readonly old: TrustedCa;
  readonly new: TrustedCa | undefined;
}

/** The rotation of a mount, derived from the state of the service. */
export type Rotation = IssuerRotation | MountRotation;
