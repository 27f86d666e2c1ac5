import { bodyShape, type Exchange, type RecordedStep, type Recording } from './recording.ts';
import { differences, type Shape } from './shape.ts';

/** One way in which a product differs from the embedded service. */
export interface Difference {
  readonly product: string;
  readonly step: string;
  /** `GET /v1/query/ID`, or `exit code` for that of the whole step. */
  readonly request: string;
  /** `status 404, embedded 400`, `data.issuer_id: unexpected` (only the product has it) and the like. */
  readonly what: string;
}

// The name of a server's own node, but not that of a node of the run.
const serverNode = /(\/v1\/(?:catalog|health)\/node\/|Node\+%3D%3D\+%22)(?!lanyard-conformance)[\w-]+/g;

/** Without what differs from run to run. */
const pathOf = (path: string): string =>
  path
    .replace(/00000000-0000-4000-9000-\d{12}/g, 'ID')
    .replace(/_(?:0{5}\d{5}|1234567890)\b/g, '_ID')
    .replace(/\/\d{4}-\d\d-\d\d\/\d{6}\.\d{3}Z-\d{6,20}\b/g, '/DATE/ENTRY')
    .replace(/\/signed\/\d{4}-\d\d-\d\d$/, '/signed/DATE')
    .replace(/redacted-\d+/g, 'TOKEN')
    .replace(serverNode, '$1SERVER')
    .replace(/(cas|index)=\d+/g, '$1=N');

const requestOf = ({ method, path }: Exchange): string => `${method} ${pathOf(path)}`;

/** Every difference between what a product sent and what the embedded service sends, step by step. */
export function compare(product: Recording, embedded: Recording): Difference[] {
  const own = new Map(embedded.steps.map((step) => [step.name, step]));
  return product.steps.flatMap((step) => {
    const other = own.get(step.name);
    // A preparation that only this product needs.
    return other === undefined ? [] : compareSteps(product.product, step, other);
  });
}

function compareSteps(product: string, theirs: RecordedStep, ours: RecordedStep): Difference[] {
  const found: Difference[] = [];
  const add = (request: string, what: string): void => {
    found.push({ product, step: theirs.name, request, what });
  };
  if (theirs.code !== ours.code) add('exit code', `${theirs.code}, embedded ${ours.code}`);
  const left = [...ours.exchanges];
  for (const one of theirs.exchanges) {
    const other = counterpart(one, left);
    if (other === undefined) {
      add(requestOf(one), 'not sent to the embedded service');
      continue;
    }
    left.splice(left.indexOf(other), 1);
    for (const what of compareResponses(one, other)) add(requestOf(one), what);
  }
  for (const other of left) add(requestOf(other), 'sent to the embedded service only');
  return found;
}

/**
 * The exchange of the same request, with the same status if there is one, and the fewest differences: requests that
 * are sent at the same time come in any order, and those that look up each element of a list in that of its random IDs.
 */
function counterpart(one: Exchange, left: readonly Exchange[]): Exchange | undefined {
  const same = left.filter((other) => requestOf(other) === requestOf(one));
  const [first, ...others] = same.filter(({ status }) => status === one.status);
  if (first === undefined) return same[0];
  const count = (other: Exchange): number => compareResponses(one, other).length;
  return others.reduce((best, other) => (count(other) < count(best) ? other : best), first);
}

function compareResponses(theirs: Exchange, ours: Exchange): string[] {
  const found: string[] = [];
  if (theirs.status !== ours.status) found.push(`status ${theirs.status}, embedded ${ours.status}`);
  // A failure and a success have nothing else in common.
  if (theirs.status < 300 !== ours.status < 300) return found;
  if (theirs.type !== ours.type) found.push(`type ${theirs.type || 'none'}, embedded ${ours.type || 'none'}`);
  const [names, own] = [headerNames(theirs), headerNames(ours)];
  for (const name of names) if (!own.has(name)) found.push(`header ${name}: unexpected`);
  for (const name of own) if (!names.has(name)) found.push(`header ${name}: missing`);
  return [...found, ...compareShapes(bodyShape(theirs), bodyShape(ours))];
}

/** How the shape of a product's body differs from that of the embedded service, one line each. */
export function compareShapes(theirs: Shape, ours: Shape): string[] {
  const withPartition = JSON.stringify(theirs).includes('.default.default');
  return [
    ...(withPartition ? ['names with a partition'] : []),
    ...differences(withPartition ? withoutPartition(theirs) : theirs, ours),
  ];
}

/** Nodes and targets of a chain are named `web.default.default.dc1` with a partition, `web.default.dc1` without. */
const withoutPartition = (shape: Shape): Shape =>
  JSON.parse(JSON.stringify(shape).replaceAll('.default.default', '.default')) as Shape;

/** Names without the family: the embedded services send `X-Consul-Index` and `X-Registry-Index`. */
function headerNames({ headers }: Exchange): Set<string> {
  return new Set(
    Object.keys(headers).map((name) =>
      name.replace(/^x-(?:vault|secrets|consul|registry|nomad|scheduler|boundary|accounts)-/, ''),
    ),
  );
}
