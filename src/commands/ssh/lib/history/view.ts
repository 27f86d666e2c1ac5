import { bad, dim, type listResult, type Shown, warn } from '../../../../output/document.ts';
import { timestampText } from '../../../../output/humanize.ts';
import { isValid, type SignedCertificate } from './entry.ts';

type Columns = Parameters<typeof listResult<SignedCertificate>>[2];

/** The columns of a list of certificates. */
export const historyColumns = (now: Date): Columns => ({
  TIME: { cell: ({ time }) => timestampText(time) ?? time, optional: 1 },
  USER: ({ user = null, userFrom }) =>
    user !== null && userFrom === 'local' ? [user, ' ', dim('(local)')] : user,
  ROLE: ({ role }) => role,
  PRINCIPALS: {
    cell: ({ principals }) => principalsText(principals),
    shrinkPriority: 1,
  },
  SERIAL: ({ serial }) => serial ?? null,
  'KEY ID': { cell: ({ keyId }) => keyId || null, shrinkPriority: 2, optional: 2 },
  'VALID UNTIL': (entry) => untilText(entry, now),
});

/** Empty: valid for any principal. */
const principalsText = (principals: readonly string[] | undefined): Shown =>
  principals === undefined ? null : principals.length === 0 ? warn('any') : principals.join(', ');

function untilText(entry: SignedCertificate, now: Date): Shown {
  const { validBefore } = entry;
  if (validBefore === undefined) return null;
  if (validBefore === null) return warn('forever');
  const text = timestampText(validBefore) ?? validBefore;
  return isValid(entry, now.getTime()) ? text : [text, ' ', bad('(expired)')];
}
