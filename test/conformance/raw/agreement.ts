import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compareShapes, type Difference } from '../compare.ts';
import { type Dialect, dialectOf } from '../dialects.ts';
import type { Shape } from '../shape.ts';
import { rawDialects } from './dialects.ts';
import { type RawRecording, type RawResponse, shapeOfResponse } from './recording.ts';
import type { RequestList } from './request.ts';

/** How the embedded service responds to one request, compared with the product. */
export interface Comparison {
  readonly name: string;
  /** Each difference with the entry that accepts it. */
  readonly found: readonly { readonly difference: Difference; readonly dialect: Dialect | undefined }[];
}

/** Compares status, media type and shape of the body of each response. */
export function compareRaw(
  { product, responses }: RawRecording,
  { requests }: RequestList,
  embedded: readonly RawResponse[],
): readonly Comparison[] {
  const own = new Map(embedded.map((response) => [response.name, response]));
  const lines = new Map(requests.map(({ name, method, path }) => [name, `${method} ${path}`]));
  return responses.flatMap((theirs) => {
    const [ours, request] = [own.get(theirs.name), lines.get(theirs.name)];
    if (ours === undefined || request === undefined) return [];
    const found = compareResponses(theirs, ours).map((what) => {
      const difference = { product, step: theirs.name, request, what };
      return { difference, dialect: dialectOf(difference, rawDialects) ?? dialectOf(difference) };
    });
    return [{ name: theirs.name, found }];
  });
}

function compareResponses(theirs: RawResponse, ours: RawResponse): string[] {
  const found: string[] = [];
  if (theirs.status !== ours.status) found.push(`status ${theirs.status}, embedded ${ours.status}`);
  // A failure and a success have nothing else in common.
  if (theirs.status < 300 !== ours.status < 300) return found;
  if (theirs.type !== ours.type) found.push(`type ${theirs.type || 'none'}, embedded ${ours.type || 'none'}`);
  const [shape, expected] = [shapeOfResponse(theirs), shapeOfResponse(ours)];
  return [...found, ...compareShapes(shape, expected), ...compareLengths(shape, expected)];
}

/** Lists that have elements on one side only, which have no shape to compare: a filter that finds nothing. */
function compareLengths(theirs: Shape, ours: Shape, at = ''): string[] {
  if (typeof theirs === 'string' || typeof ours === 'string') return [];
  if (isList(theirs) && isList(ours)) {
    const [one, other] = [theirs[0], ours[0]];
    if (one === undefined && other === undefined) return [];
    if (one === undefined) return [`${at}[]: no elements`];
    return other === undefined ? [`${at}[]: elements`] : compareLengths(one, other, `${at}[]`);
  }
  if (isList(theirs) || isList(ours)) return [];
  return Object.entries(theirs).flatMap(([name, member]) => {
    const other = ours[name];
    return other === undefined ? [] : compareLengths(member, other, at === '' ? name : `${at}.${name}`);
  });
}

const isList = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape);

/** How many requests of a list have which outcome. */
export interface Agreement {
  readonly requests: number;
  /** The same status, media type and shape. */
  readonly same: number;
  /** Every difference is a listed dialect, or the embedded service is stricter. */
  readonly dialect: number;
  /** A difference that is to be changed, or is not listed. */
  readonly different: number;
}

export function agreementOf(comparisons: readonly Comparison[]): Agreement {
  const same = comparisons.filter(({ found }) => found.length === 0).length;
  const isAccepted = ({ found }: Comparison): boolean =>
    found.every(({ dialect }) => dialect !== undefined && dialect.reason !== 'tracked');
  const dialect = comparisons.filter(isAccepted).length - same;
  return { requests: comparisons.length, same, dialect, different: comparisons.length - same - dialect };
}

/** The share of requests with the same response, among those without a listed dialect. */
export const shareOf = ({ requests, same, dialect }: Agreement): number => same / (requests - dialect);

/** The agreement of each recording, by the name of its folder. */
export type Agreements = Readonly<Record<string, Agreement>>;

export const agreementFile = fileURLToPath(new URL('agreement.json', import.meta.url));

export const readAgreements = (): Agreements => JSON.parse(readFileSync(agreementFile, 'utf8')) as Agreements;

/** The text of the agreements' file. */
export const textOfAgreements = (agreements: Agreements): string =>
  `{\n${Object.entries(agreements)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, row]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`)
    .join(',\n')}\n}\n`;
