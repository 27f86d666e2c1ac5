/**
 * Set by `ssh connect` for ssh, which logs in with a certificate of its own: the certificate file that `ssh config`
 * configures has no key there, so `ssh sign --for-login`, which decides about it, exits with 1.
 */
export const connectVariable = 'LANYARD_SSH_CONNECT';
