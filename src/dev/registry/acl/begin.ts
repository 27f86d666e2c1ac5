import {
  anonymous,
  anonymousSecret,
  globalManagement,
  hashOf,
  policyOf,
  putPolicy,
  putToken,
  tokenOf,
} from '../state/acl.ts';
import type { Draft } from '../state/draft.ts';

/** Puts what an access-control system begins with: the policy that allows everything, the anonymous token. */
export function beginAcl(draft: Draft): void {
  if (!policyOf(draft, globalManagement.ID)) {
    putPolicy(draft, {
      ...globalManagement,
      Description: 'Builtin Policy that grants unlimited access',
      Rules: '',
      Hash: hashOf(globalManagement.ID),
    });
  }
  if (!tokenOf(draft, anonymous)) {
    putToken(draft, {
      AccessorID: anonymous,
      SecretID: anonymousSecret,
      Description: 'Anonymous Token',
      Policies: [],
      Local: false,
      CreateTime: new Date(draft.now).toISOString(),
      Hash: hashOf(anonymous),
    });
  }
}
