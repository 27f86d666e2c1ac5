import { arg, command, flag } from '../command.ts';
import { raw, text } from '../output/document.ts';
import { formatJson } from '../wire/json.ts';
import { serviceNames } from '../wire/services.ts';

export default command({
  description:
    'PATH is one within the service; the version prefix may be left out (sys/health means /v1/sys/health). A body comes from a source, never from the command line itself: "-", "@file" or "env://NAME"; one that is JSON is sent as such.',
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
    const content = flags.data === undefined ? undefined : await ctx.io.secret(flags.data, 'body');
    const { body, status } = await ctx.api.call(args.service, {
      method: args.method,
      path: args.path,
      content,
    });
    if (body === undefined) return { data: null, document: [text(`done (status ${status}, no body)`)] };
    const shown = typeof body === 'string' ? body : formatJson(body, 2);
    return { data: body, document: [raw(shown.endsWith('\n') ? shown : `${shown}\n`)] };
  },
});
