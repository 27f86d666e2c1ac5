import { command } from '../../../command/command.ts';
import { authMethods } from '../lib/mounts.ts';
import { listMounts } from '../lib/read-mounts.ts';

export default command({
  examples: ['lanyard secrets auth list', 'lanyard secrets auth list -o json --select "[].path"'],
  service: 'secrets',
  run: (_input, ctx) => listMounts(authMethods, ctx),
});
