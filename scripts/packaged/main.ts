import { getAsset, getRawAsset } from 'node:sea';
import { loader } from './load.ts';

// The packaged program: its modules and their compiled code are within the executable.

/** Where each is in `modules`, by name: from this byte, up to that one. */
const places: { readonly [name: string]: readonly [number, number] } = JSON.parse(getAsset('places', 'utf8'));
const modules = Buffer.from(getRawAsset('modules') as ArrayBuffer);
const part = (name: string) => modules.subarray(...(places[name] as readonly [number, number]));

const load = loader({
  code: (name) => part(name).toString(),
  compiled: (name) => part(`${name}.compiled`),
});
const { cli } = load('cli.js') as { cli(): Promise<number> };
cli().then((code) => {
  process.exitCode = code;
  // A handle that is still open may not keep the caller waiting.
  setTimeout(() => process.exit(), 50).unref();
});
