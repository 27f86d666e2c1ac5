/**
 * The mounts of a rotation on a service with one CA per mount ([ADR 91](docs/adr/0091-rotation-of-ssh-cas.md)).
 *
 * @param mount the mount whose CA is replaced: `ssh`.
 */
export const rotationMounts = (mount: string) => ({
  /** Has the new CA until it is in use: `ssh-rotation-new`. */
  new: `${mount}-rotation-new`,
  /** Has the old CA from then on: `ssh-rotation-old`. */
  old: `${mount}-rotation-old`,
});
