import { command } from '../../../command/command.ts';
import { engines } from '../lib/mounts.ts';
import { listMounts } from '../lib/read-mounts.ts';

export default command({
  examples: ['lanyard secrets mount list', 'lanyard secrets mount list -o json --select "[].path"'],
  service: 'secrets',
  run: (_input, ctx) => listMounts(engines, ctx),
});
