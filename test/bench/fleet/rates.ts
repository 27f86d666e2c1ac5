/** What one embedded service does, per second, as `npm run bench` measures it. */
export interface Rates {
  /** Where and how they were measured. */
  readonly machine: string;
  /** Certificates with an ed25519 CA (`service`, row ed25519). */
  readonly signatures: number;
  /** Certificates with an rsa-4096 CA (`service`, row rsa-4096). */
  readonly rsaSignatures: number;
  /** Logins with a JWT (`logins`). */
  readonly logins: number;
  /** Key-value reads with a token that has policies (`secrets`). */
  readonly reads: number;
  /** Blocking reads that one write wakes (`registry`): 1000 in so many seconds. */
  readonly wokenReads: number;
}

/** Short runs on a shared machine that was busy (load 11 on 2 processors): a quiet machine does more. */
export const measuredRates: Rates = {
  machine:
    '2 processors (Intel Xeon, virtual), Linux, ext4, Node 24, 2026-11-22; short runs, the machine was busy',
  signatures: 1500,
  rsaSignatures: 150,
  logins: 800,
  reads: 2900,
  wokenReads: 7000,
};
