/** The private key of a public key file. */
export const privateKeyPath = (path: string): string => path.replace(/\.pub$/, '');

/** Where ssh looks for the certificate of a key file. */
export const certificatePath = (path: string): string => `${privateKeyPath(path)}-cert.pub`;

/** The file about the mount and namespace that signed a certificate. */
export const certificateSourcePath = (certificate: string): string => `${certificate}.source`;

/** The file about a failed renewal of a certificate. */
export const renewalRetryPath = (certificate: string): string => `${certificate}.retry`;
