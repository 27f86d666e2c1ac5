/** A mutant that no test can kill, because the program behaves the same with it. */
export interface Equivalent {
  /** The source file, from the root of the repository. */
  readonly file: string;
  /** The lines of the source that the mutant changes, in one line with single spaces. */
  readonly before: string;
  /** The same lines in the mutant. */
  readonly after: string;
  /** Why the behaviour is the same. */
  readonly reason: string;
}

/** Source files that guard something, and the tests that hold them. */
export interface Area {
  /** The files that are mutated, from the root of the repository. */
  readonly mutate: readonly string[];
  /** The test files that are run against each mutant, from the root of the repository. They start no program of their own. */
  readonly tests: readonly string[];
  /** Where the tests run: in threads (default), or in processes for tests that change the umask. */
  readonly pool?: 'threads' | 'forks';
  /** The mutants that may survive. */
  readonly equivalent: readonly Equivalent[];
}
