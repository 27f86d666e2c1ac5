/** What one embedded service does, per second, as `npm run bench` measures it. */
export interface Rates {
  /** Where and how they were measured. */
  readonly machine: string;
  /** Certificates with an ed25519 CA (`service`, row ed25519). */
  readonly signatures: number;
  /** Logins with a JWT (`logins`). */
  readonly logins: number;
  /** Key-value reads with a token that has policies (`secrets`). */
  readonly reads: number;
  /** Responses to blocking reads that one write wakes (`registry`). */
  readonly wokenReads: number;
}

/** Short runs (3 s), rounded down. With the machine busy (load 11), half of these or less were measured. */
export const measuredRates: Rates = {
  machine: '2 processors (Intel Xeon, virtual), Linux, ext4, Node 24, 2026-11-22; short runs',
  signatures: 3800,
  logins: 1300,
  reads: 10_000,
  wokenReads: 18_000,
};
