import { command, flag } from '../../command.ts';
import { code, text } from '../../output/document.ts';
import { loginFlag, ownerFrom, passwordFlag, refusedInWords } from './token/shared.ts';

export default command({
  description:
    'Has the code for a login with two factors sent to the telephone of the account; "lanyard box token create --code SRC" then takes it.',
  examples: ['lanyard box request-code --login alice --password env://BOX_PASSWORD'],
  service: 'box',
  writes: true,
  args: {},
  flags: {
    login: loginFlag,
    password: passwordFlag,
    deliveryMethod: flag.choice(['sms'], 'how it is sent (default sms)'),
  },
  async run({ flags }, ctx) {
    const user = await ownerFrom(flags, ctx);
    const box = await ctx.api.box();
    const { body } = await box
      .requestCode({ two_factor: { delivery_method: flags.deliveryMethod ?? 'sms' }, user })
      .catch(refusedInWords('the login or the password'));
    const to = body.two_factor.obfuscated_destination;
    return {
      data: body,
      payload: body.two_factor,
      document: [text('A code is on its way', ...(to ? [' to ', code(to)] : []), '.')],
    };
  },
});
