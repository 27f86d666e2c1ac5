/**
 * What a rotation records in the service, in the only places that every operator can read and change
 * ([ADR 91](docs/adr/0091-rotation-of-ssh-cas.md)): the name of the new issuer, or the description of the old mount.
 */

const namePattern = /^replaces-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\.until-(\d{8}T\d{6}Z))?$/;
const descriptionPattern = /; its certificates expire by (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\.$/;

/** A time to the second, in UTC: `2026-11-27T20:45:12Z`. */
const toSecond = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z');

/** The name of an issuer that replaces another one. @param until when the last certificate of the other expires */
export const issuerMark = (oldId: string, until?: Date): string =>
  `replaces-${oldId}${until === undefined ? '' : `.until-${toSecond(until).replace(/[:-]/g, '')}`}`;

/** Reads a name of `issuerMark`; undefined: any other name. */
export function readIssuerMark(
  name: string,
): { readonly oldId: string; readonly until: Date | undefined } | undefined {
  const [, oldId, until] = namePattern.exec(name) ?? [];
  if (oldId === undefined) return undefined;
  return {
    oldId,
    until: dateOf(until?.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5')),
  };
}

/** The description of a mount whose CA was replaced. @param mount which has the new CA now */
export const mountMark = (mount: string, until: Date): string =>
  `Previous CA of ${mount}/; its certificates expire by ${toSecond(until)}.`;

/** The time in a description of `mountMark`; undefined: any other description. */
export const readMountMark = (description: string): Date | undefined =>
  dateOf(descriptionPattern.exec(description)?.[1]);

function dateOf(text: string | undefined): Date | undefined {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}
