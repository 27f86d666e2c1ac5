import type { Cause } from './cause.ts';
import { certificateCauses, principalCauses } from './causes/certificate.ts';
import { sshdCauses, trustCauses } from './causes/host.ts';
import { hostKeyCauses } from './causes/host-key.ts';
import { keyCauses } from './causes/keys.ts';
import { networkCauses } from './causes/network.ts';
import { loginCauses, otpCauses, serviceCauses } from './causes/service.ts';

/** All causes of rejected logins, in the order in which they are looked for. `lanyard help ssh-rejected` lists them. */
export const causes: readonly Cause[] = [
  ...serviceCauses,
  ...networkCauses,
  ...hostKeyCauses,
  ...keyCauses,
  ...certificateCauses,
  ...principalCauses,
  ...trustCauses,
  ...sshdCauses,
  ...otpCauses,
  ...loginCauses,
];
