import { arg, command } from '../command/command.ts';
import { raw } from '../output/document.ts';
import { scripts } from './completion/lib/scripts.ts';

const shells = Object.keys(scripts) as (keyof typeof scripts)[];

export default command({
  description:
    'Add "source <(lanyard completion bash)" to ~/.bashrc, or "lanyard completion powershell | Out-String | Invoke-Expression" to $PROFILE. For zsh, write the script to a file _lanyard in a directory of $fpath; for fish, to ~/.config/fish/completions/lanyard.fish. Names and IDs come from the services, within 0.4 s, also with an unlocked keyring (not on macOS); LANYARD_COMPLETION=static disables this.',
  examples: [
    'source <(lanyard completion bash)',
    'lanyard completion zsh > ~/.zfunc/_lanyard',
    'lanyard completion fish > ~/.config/fish/completions/lanyard.fish',
  ],
  hasNoResult: true,
  args: { shell: arg.choice('SHELL', shells, 'shell: bash, zsh, fish or powershell') },
  async run({ args }) {
    const { default: script } = await scripts[args.shell]();
    return { data: script, document: [raw(script)] };
  },
});
