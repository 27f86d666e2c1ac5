import { arg, command, flag } from '../command/command.ts';
import { usage } from '../errors.ts';
import { binary, textResult } from '../output/document.ts';
import { formatJson } from '../wire/json.ts';
import { receivedSecrets, secretsIn } from '../wire/received-secrets.ts';
import { serviceNames } from '../wire/services.ts';

export default command({
  description:
    'PATH may omit the version prefix: sys/health means /v1/sys/health. Fields are sent as a JSON object; the body of --data is sent unchanged, as application/json if it is valid JSON. The response body is written unchanged to --out or a pipe; -o json encodes a binary body in base64.',
  examples: [
    'lanyard api secrets GET sys/health',
    'lanyard api secrets LIST ssh/roles',
    'lanyard api secrets POST ssh/lookup ip=10.1.2.3',
    'echo \'{"ip":"10.1.2.3"}\' | lanyard api secrets POST ssh/lookup --data -',
  ],
  service: 'any',
  writes: true,
  changes: serviceNames,
  args: {
    service: arg.choice('SERVICE', serviceNames, 'service: secrets, registry, box, scheduler or accounts'),
    method: arg.text('METHOD', 'HTTP method, such as GET, LIST or POST', {
      completes: ['GET', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE', 'RECOVER', 'SCAN'],
    }),
    path: arg.text('PATH', 'path and query of the request'),
    members: arg.pairs('fields of the request body; the values are strings'),
  },
  flags: {
    data: flag.source('source of the request body'),
  },
  async run({ args, flags }, ctx) {
    if (flags.data !== undefined && args.members.length > 0)
      throw usage('--data cannot be used together with fields');
    const content =
      args.members.length > 0
        ? Buffer.from(formatJson(await ctx.input.readJsonObject({ pairs: args.members, file: undefined })))
        : flags.data === undefined
          ? undefined
          : await ctx.input.readExact(flags.data, 'body');
    const { body, bytes, status } = await ctx.api.call(args.service, {
      method: args.method,
      path: args.path,
      content,
    });
    if (body === undefined || bytes === undefined)
      return textResult(null, `Status ${status}, no response body.`);
    for (const secret of args.service === 'secrets' ? receivedSecrets(body) : secretsIn(body))
      ctx.output.mask(secret);
    if (!isText(bytes)) {
      const shown = `${bytes.length} bytes of binary data; use --out FILE or a pipe to save them`;
      return { data: { base64: Buffer.from(bytes).toString('base64') }, document: [binary(bytes, shown)] };
    }
    return { data: body, document: [binary(bytes, typeof body === 'string' ? body : formatJson(body, 2))] };
  },
});

function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
