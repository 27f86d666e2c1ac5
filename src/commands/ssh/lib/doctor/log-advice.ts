import { shellWord } from '../../../../wire/printable.ts';
import type { Target } from './facts.ts';

/** How to get the reason from the host, without a full stop. */
export const logAdvice = ({ destination }: Target): string =>
  `Run \`sudo journalctl -u ssh -u sshd --since -10min > sshd.log\` on the host, then \`lanyard ssh doctor ${shellWord(destination)} --log sshd.log\` with that file`;
