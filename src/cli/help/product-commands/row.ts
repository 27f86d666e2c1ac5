/** A command of a product's own program, without its name, and the command for it here. */
export interface ProductCommand {
  readonly theirs: string;
  /** Undefined: it does not exist. */
  readonly ours: string | undefined;
  /** What differs, for `docs/compatibility.md`. */
  readonly note?: string;
}

export const row = (theirs: string, ours: string | undefined, note?: string): ProductCommand =>
  note === undefined ? { theirs, ours } : { theirs, ours, note };

export const readsFirst = 'prompts for confirmation; a missing one is exit code 3';
export const keepsFields = 'keeps fields that are not given; shows what changed';
