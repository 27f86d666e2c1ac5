import { arg, command } from '../command.ts';
import { raw } from '../output/document.ts';
import { scripts } from './completion/scripts.ts';

const shells = Object.keys(scripts) as (keyof typeof scripts)[];

export default command({
  description:
    'bash: add "source <(lanyard completion bash)" to ~/.bashrc.\nzsh: write it to a file _lanyard in a folder of your $fpath.\nfish: write it to ~/.config/fish/completions/lanyard.fish.\nPowerShell: add "lanyard completion powershell | Out-String | Invoke-Expression" to $PROFILE.',
  examples: ['source <(lanyard completion bash)'],
  args: { shell: arg.choice('SHELL', shells, 'bash, zsh, fish or powershell') },
  flags: {},
  async run({ args }) {
    const { default: script } = await scripts[args.shell]();
    return { data: script, document: [raw(script)] };
  },
});
