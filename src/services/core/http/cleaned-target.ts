/**
 * The target of a request with empty, `.` or `..` segments in its path removed, as Consul and Nomad clean paths; undefined: there
 * are none. Encoded characters stay as they are.
 */
export function cleanedTarget(target: string): string | undefined {
  const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(target) ?? [];
  const segments = path.split('/').slice(1);
  const last = segments.at(-1);
  const cleaned: string[] = [];
  for (const segment of segments) {
    if (segment === '..') cleaned.pop();
    else if (segment !== '' && segment !== '.') cleaned.push(segment);
  }
  const hasTrailingSlash = (last === '' || last === '.') && cleaned.length > 0;
  const clean = `/${cleaned.join('/')}${hasTrailingSlash ? '/' : ''}`;
  return path.startsWith('/') && clean !== path ? `${clean}${query}` : undefined;
}
