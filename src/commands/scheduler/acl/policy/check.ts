import { arg, command } from '../../../../command/command.ts';
import { code, text } from '../../../../output/document.ts';
import { countText } from '../../../../output/humanize.ts';
import { readRules, requireValid } from '../../lib/read-rules.ts';

export default command({
  description:
    'Checks the syntax, the names, the fields and the capabilities of rules, with line and column of each error, and sends nothing. The exit code is 2 if they are invalid.',
  examples: [
    'lanyard scheduler acl policy check @web-policy.hcl',
    'lanyard scheduler acl policy check - < web-policy.hcl',
  ],
  args: {
    rules: arg.text('RULES|@FILE|-', 'rules in HCL or JSON, a file or standard input', { completes: 'file' }),
  },
  async run({ args }, ctx) {
    const title = 'the rules';
    const given = await readRules(args.rules, title, ctx);
    const isText = given.name === title;
    const rules = requireValid(given, isText);
    return {
      data: { name: given.name, rules },
      document: [text(code(isText ? 'The policy' : given.name), ` is valid: ${countText(rules, 'block')}.`)],
    };
  },
});
