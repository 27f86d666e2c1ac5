type Environment = Readonly<Record<string, string | undefined>>;

const credential =
  /^(LANYARD_[A-Z]+|BAO|VAULT|CONSUL_HTTP|NOMAD|BOUNDARY|VAGRANT_CLOUD|ATLAS)_(TOKEN|AUTH|HTTP_AUTH)$/;

/** An environment without the tokens of the services: an editor, a pager and their plugins do not need them. */
export const withoutCredentials = (env: Environment): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !credential.test(name)));
