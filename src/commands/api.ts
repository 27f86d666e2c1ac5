import { arg, command, flag } from '../command.ts';
import { exact, text } from '../output/document.ts';
import { formatJson } from '../wire/json.ts';
import { receivedSecrets, secretsIn } from '../wire/received-secrets.ts';
import { serviceNames } from '../wire/services.ts';

export default command({
  description:
    'PATH is one within the service; the version prefix may be left out (sys/health means /v1/sys/health). A body comes from a source, never from the command line itself: "-", "@file" or "env://NAME"; it is sent to the byte, and as JSON where it is JSON. A file (--out) and a pipe get the answer to the byte; -o json shows one that is not text in base64.',
  examples: [
    'lanyard api secrets GET sys/health',
    'lanyard api secrets LIST ssh/roles',
    'echo \'{"ip":"10.1.2.3"}\' | lanyard api secrets POST ssh/lookup --data -',
  ],
  service: 'any',
  writes: true,
  args: {
    service: arg.choice('SERVICE', serviceNames, 'secrets, registry, box, scheduler or accounts'),
    method: arg.text('METHOD', 'GET, LIST, POST, PUT, PATCH, DELETE ...', {
      completes: ['GET', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE', 'RECOVER'],
    }),
    path: arg.text('PATH', 'path and query'),
  },
  flags: { data: flag.text('SRC', 'where the body comes from', { completes: 'file' }) },
  async run({ args, flags }, ctx) {
    const content = flags.data === undefined ? undefined : await ctx.io.exact(flags.data, 'body');
    const { body, bytes, status } = await ctx.api.call(args.service, {
      method: args.method,
      path: args.path,
      content,
    });
    if (body === undefined || bytes === undefined)
      return { data: null, document: [text(`done (status ${status}, no body)`)] };
    for (const secret of args.service === 'secrets' ? receivedSecrets(body) : secretsIn(body))
      ctx.io.mask(secret);
    if (!isText(bytes)) {
      const shown = `${bytes.length} bytes that are not text; --out FILE or a pipe gets them as they are`;
      return { data: { base64: Buffer.from(bytes).toString('base64') }, document: [exact(bytes, shown)] };
    }
    return { data: body, document: [exact(bytes, typeof body === 'string' ? body : formatJson(body, 2))] };
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
