/** The ID of an auth token of the account service, which its text begins with: `at_ID_SECRET`. Undefined: it has another form. */
export const authTokenId = (token: string): string | undefined => /^(at_[^_]+)_./.exec(token)?.[1];
