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

const text = ({ id, rotation }: Mark): string => (rotation > 0 ? `${id} r${rotation}` : id);

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
    const [, id, rotation = '0'] = mapMark.exec(String(marked ?? '')) ?? [];
    if (id === undefined) return { spec, mark: undefined };
    return { spec: { ...spec, [place.field]: rest }, mark: { id, rotation: Number(rotation) } };
  }
  return { spec, mark: undefined };
}

/** The fields of an object with a mark, where its kind can carry one. */
export function withMark(kind: Pick<Kind, 'mark'>, spec: JsonObject, mark: Mark): JsonObject {
  const { mark: place } = kind;
  if (!place) return spec;
  const value = spec[place.field];
  if (place.type === 'map') return { ...spec, [place.field]: { ...asObject(value), [markName]: text(mark) } };
  const given = typeof value === 'string' && value !== '' ? `${value} ` : '';
  return { ...spec, [place.field]: `${given}[lanyard:${text(mark)}]` };
}
