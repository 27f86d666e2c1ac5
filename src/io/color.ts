/**
 * Is colour wanted on a stream? `--no-color` says no; then `FORCE_COLOR` (`0` and `false` say no, anything else
 * yes) decides, as in Node itself; then a `NO_COLOR` that is not empty, `TERM=dumb`, and a stream that is no
 * terminal each say no.
 */
export function shouldUseColor(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv,
  noColorFlag: boolean,
): boolean {
  if (noColorFlag) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR || env.TERM === 'dumb') return false;
  return stream.isTTY === true;
}
