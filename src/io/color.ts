/**
 * Whether to use color on a stream. In order: `--no-color` disables it; `FORCE_COLOR` decides (`0` and `false`
 * disable it, anything else enables it), as in Node; a `NO_COLOR` that is not empty, `TERM=dumb`, and a stream that
 * is not a terminal disable it.
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
