/** How a service is reached, besides its address: the same in a profile, in resolved settings and in an endpoint. */
export interface ConnectionSettings {
  readonly namespace?: string;
  readonly region?: string;
  readonly datacenter?: string;
  /** A file of CA certificates. */
  readonly caCert?: string;
  /** A directory of CA certificates. */
  readonly caPath?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly serverName?: string;
  /** Turns off TLS verification; every call warns about it. */
  readonly skipVerify?: boolean;
  readonly proxy?: string;
  /** Allows plain http to a host that is not loopback. */
  readonly allowPlainHttp?: boolean;
}
