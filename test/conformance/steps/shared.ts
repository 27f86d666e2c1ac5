/** A public key that recordings have certificates for; its private half does not exist any more. */
export const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGAeeHIA2eg4mktYNsm6XsvbmHQP7iF4Im6Kcdg8S0M7 conformance\n';

/** The ID of nothing. */
export const missingId = '00000000-0000-4000-8000-000000000404';
