/**
 * A command line, its exit code on the product and on the embedded service, and why they differ. Without a second
 * exit code, it is the same on both. A difference in the output is a note as well.
 */
export type Line =
  | readonly [command: string, code: number]
  | readonly [command: string, code: number, embedded: number, note: string]
  | readonly [command: string, code: number, embedded: 'same', note: string];

/** Command lines of a product's program that were run on the product and on `lanyard dev`. */
export interface ProductCommands {
  /** `openbao`, `consul`, `nomad` or `boundary`. */
  readonly product: string;
  /** The program, and its version: `nomad`, `2.0.6`. */
  readonly program: string;
  readonly version: string;
  /** In the order in which they were run: later ones use what earlier ones made. */
  readonly lines: readonly Line[];
}
