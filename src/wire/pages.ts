/**
 * Notices pages that repeat, which would be requested for ever.
 *
 * @param first the token of the first page, if it has one.
 * @returns whether no earlier page had the token.
 */
export function newPageTokens(first?: string): (token: string) => boolean {
  const seen = new Set<string | undefined>([first]);
  return (token) => {
    const isNew = !seen.has(token);
    seen.add(token);
    return isNew;
  };
}

/** The token of the next page in the headers of the scheduler; undefined: this is the last page. */
export const nextPageToken = (headers: Readonly<Record<string, string | undefined>>): string | undefined =>
  Object.entries(headers).find(([name, value]) => name.endsWith('-nexttoken') && value)?.[1];
