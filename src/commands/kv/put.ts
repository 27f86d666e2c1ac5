import { arg, command, showWarnings } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { casFlag, inFlag, readPairs, readReplaced, writePairs, writeResult } from './lib/pairs.ts';
import { mountFlag, pathArg, requireSecret } from './lib/secret-path.ts';

export default command({
  description:
    'Replaces all keys; "kv patch" updates some. Give secret values as K=@FILE (exact content) or K=- (standard input without its last line break), because other users and the shell history can see the command line.',
  examples: [
    'lanyard kv put secret/app/tls certificate=@tls.crt key=@tls.key',
    'lanyard kv put secret/app/db user=app password=- --cas 0 < password.txt',
    'lanyard kv put secret/app/db --in pairs.json',
  ],
  service: 'secrets',
  writes: 'after reads',
  args: { path: pathArg, pairs: arg.pairs('keys and values; the values are strings') },
  flags: { in: inFlag, cas: casFlag, mount: mountFlag },
  async run({ args, flags }, ctx) {
    const pairs = await readPairs(args.pairs, flags.in, ctx);
    const secrets = await ctx.api.secrets();
    const secretPath = await requireSecret(secrets, args.path, flags.mount);
    if (secretPath.version === 1 && flags.cas !== undefined)
      throw usage(`--cas is not supported by ${secretPath.mount}/, a key-value engine of version 1`);
    const before = await readReplaced(secrets, secretPath);
    const response = await writePairs(secrets, secretPath, pairs, flags.cas);
    if (!response) ctx.output.warn('the response was lost, but the secret was written');
    showWarnings(ctx.output, response?.body);
    return writeResult(secretPath, response?.body, before, pairs);
  },
});
