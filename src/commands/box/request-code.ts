import { command, flag } from '../../command/command.ts';
import { code, text } from '../../output/document.ts';
import {
  describeRejectedLogin,
  loginFlag,
  passwordFlag,
  readCredentials,
} from './lib/token/credential-flags.ts';

export default command({
  description: 'Sends the code to the phone number of the account. Pass it to "box token create --code".',
  examples: ['lanyard box request-code --login dev --password env://BOX_PASSWORD'],
  service: 'box',
  writes: true,
  flags: {
    login: loginFlag,
    password: passwordFlag,
    deliveryMethod: flag.choice(['sms'], 'delivery method (default sms)'),
  },
  async run({ flags }, ctx) {
    const user = await readCredentials(flags, ctx);
    const box = await ctx.api.box();
    const { body } = await box
      .requestCode({ two_factor: { delivery_method: flags.deliveryMethod ?? 'sms' }, user })
      .catch(describeRejectedLogin('the login or password'));
    const to = body.two_factor.obfuscated_destination;
    return {
      data: body,
      payload: body.two_factor,
      document: [text('Sent a code', ...(to ? [' to ', code(to)] : []), '.')],
    };
  },
});
