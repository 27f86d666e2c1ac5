import { isInvalidWrappingToken } from '../../api/conditions/secrets.ts';
import { arg, command, showWarnings } from '../../command/command.ts';
import { describeAs } from '../../errors.ts';
import { receivedSecrets } from '../../wire/received-secrets.ts';
import { warningsOf } from './lib/path-query.ts';
import { payloadOf, responseView } from './lib/views.ts';

export default command({
  description:
    'The wrapping token is used up, even if the response is lost. Needs no other token; prompts for the wrapping token if SRC is omitted.',
  examples: [
    'lanyard secrets unwrap - < wrapping-token.txt',
    'lanyard secrets unwrap env://WRAPPING_TOKEN --field client_token --out ci-token.txt',
  ],
  service: 'secrets',
  writes: true,
  changes: ['secrets token'],
  args: {
    token: arg.optional('SRC', 'source of the wrapping token: -, @FILE or env://NAME', { completes: 'file' }),
  },
  async run({ args }, ctx) {
    const token = await ctx.input.readSecret(args.token, 'wrapping token');
    const { body } = await (await ctx.api.secrets({ token })).unwrap({}).catch(
      describeAs(
        isInvalidWrappingToken,
        'not_found',
        'wrapping token not found: it does not exist, was used or has expired',
        {
          hint: 'If you did not use it, someone else read the response: revoke the credentials in it.',
        },
      ),
    );
    for (const text of receivedSecrets(body)) ctx.output.mask(text);
    showWarnings(ctx.output, warningsOf(body));
    return { data: body, payload: payloadOf(body), document: responseView(body) };
  },
});
