import { command } from '../../../command/command.ts';
import { listMounts } from '../lib/list-mounts.ts';
import { engines } from '../lib/mounts.ts';

export default command({
  examples: ['lanyard secrets mount list', 'lanyard secrets mount list -o json --select "[].path"'],
  service: 'secrets',
  run: (_input, ctx) => listMounts(engines, ctx),
});
