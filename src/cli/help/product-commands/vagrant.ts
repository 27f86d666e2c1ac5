import { type ProductCommand, readsFirst, row } from './row.ts';

/** The everyday commands of vagrant, and their equivalents. */
export const vagrant: readonly ProductCommand[] = [
  row('cloud auth login', 'box token create'),
  row('cloud auth whoami', 'box token check'),
  row('cloud auth logout', 'box token delete'),
  row('cloud search QUERY', 'box search QUERY'),
  row('cloud box show BOX', 'box get BOX'),
  row('cloud box create BOX', 'box create BOX'),
  row('cloud box update BOX', 'box update BOX'),
  row('cloud box delete BOX', 'box delete BOX', readsFirst),
  row('cloud version create BOX V', 'box version create BOX V'),
  row('cloud version update BOX V', 'box version update BOX V'),
  row('cloud version release BOX V', 'box release BOX V'),
  row('cloud version revoke BOX V', 'box revoke BOX V'),
  row('cloud version delete BOX V', 'box version delete BOX V', readsFirst),
  row('cloud provider create BOX V P', 'box provider create BOX V P'),
  row('cloud provider update BOX V P', 'box provider update BOX V P'),
  row('cloud provider upload BOX V P F', 'box upload BOX V P F', 'resumes; compares checksums'),
  row('cloud provider delete BOX V P', 'box provider delete BOX V P', readsFirst),
  row('cloud publish BOX V P F', 'box publish BOX V P F', 'continues after an error'),
  row('box add BOX', 'box download BOX', 'downloads the image without installing it'),
];
