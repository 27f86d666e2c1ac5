import { isObject } from '../wire/objects.ts';
import { asObject, type JsonObject, type Kind } from './kind.ts';

/** The mark of the set that an object belongs to. */
export interface Mark {
  /** The ID of the set. */
  readonly id: string;
  /** How often the write-only fields were sent (`metadata.rotate`). */
  readonly rotation: number;
}

const markName = 'lanyard-set';
const textMark = / ?\[lanyard:([a-z0-9]{10})(?: r(\d+))?\]$/;
const mapMark = /^([a-z0-9]{10})(?: r(\d+))?$/;

/** The text of a mark. */
export const markText = ({ id, rotation }: Mark): string => (rotation > 0 ? `${id} r${rotation}` : id);

/** Reads the text of a mark, as maps have it: `ID` or `ID rN`; undefined: it is not one. */
export function parseMark(value: string): Mark | undefined {
  const [, id, rotation = '0'] = mapMark.exec(value) ?? [];
  return id === undefined ? undefined : { id, rotation: Number(rotation) };
}

/** The fields of an object without its mark, and the mark. */
export function splitMark(
  kind: Pick<Kind, 'mark'>,
  spec: JsonObject,
): { readonly spec: JsonObject; readonly mark: Mark | undefined } {
  const { mark: place } = kind;
  const value = place && spec[place.field];
  if (place?.type === 'text' && typeof value === 'string') {
    const [found, id = '', rotation = '0'] = textMark.exec(value) ?? [];
    if (found === undefined) return { spec, mark: undefined };
    const rest = value.slice(0, -found.length);
    return { spec: { ...spec, [place.field]: rest }, mark: { id, rotation: Number(rotation) } };
  }
  if (place?.type === 'map' && isObject(value)) {
    const { [markName]: marked, ...rest } = value;
    const mark = parseMark(String(marked ?? ''));
    return mark ? { spec: { ...spec, [place.field]: rest }, mark } : { spec, mark };
  }
  return { spec, mark: undefined };
}

/** The fields of an object with a mark, where its kind can carry one. */
export function withMark(kind: Pick<Kind, 'mark'>, spec: JsonObject, mark: Mark): JsonObject {
  const { mark: place } = kind;
  if (!place) return spec;
  const value = spec[place.field];
  if (place.type === 'map')
    return { ...spec, [place.field]: { ...asObject(value), [markName]: markText(mark) } };
  const given = typeof value === 'string' && value !== '' ? `${value} ` : '';
  return { ...spec, [place.field]: `${given}[lanyard:${markText(mark)}]` };
}
