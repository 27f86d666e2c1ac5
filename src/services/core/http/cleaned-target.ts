/** A target without empty, `.` or `..` segments in its path, as Consul and Nomad clean paths; undefined: it has none. */
export function cleanedTarget(target: string): string | undefined {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  // True of nearly all requests.
  if (!path.includes('//') && !path.includes('/.')) return undefined;
  const segments = path.split('/').slice(1);
  const last = segments.at(-1);
  const cleaned: string[] = [];
  for (const segment of segments) {
    if (segment === '..') cleaned.pop();
    else if (segment !== '' && segment !== '.') cleaned.push(segment);
  }
  const hasTrailingSlash = (last === '' || last === '.') && cleaned.length > 0;
  const clean = `/${cleaned.join('/')}${hasTrailingSlash ? '/' : ''}`;
  return path.startsWith('/') && clean !== path ? clean + target.slice(path.length) : undefined;
}
