/** Cases of a suite that do not pass, or are not run, on the embedded service. */
export interface Exclusion {
  /** Their names, as the suite prints them. */
  readonly cases: readonly string[];
  /** Why, for docs/compatibility.md. */
  readonly reason: string;
}

/** The test suite of a product's client, run by hand from its own source against an embedded service. */
export interface ForeignSuite {
  /** `openbao`, `consul`, `nomad` or `boundary`. */
  readonly product: string;
  /** The package that has the tests: `github.com/hashicorp/nomad/api`. */
  readonly package: string;
  readonly version: string;
  /** Which tests of it were run, and how: `the tests of namespaces and variables`. */
  readonly scope: string;
  readonly cases: number;
  readonly passed: number;
  /** Together with `passed`, they account for every case. */
  readonly exclusions: readonly Exclusion[];
}

/** In the order of docs/compatibility.md. */
export const foreignSuites: readonly ForeignSuite[] = [];
