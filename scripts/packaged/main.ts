import { isAscii } from 'node:buffer';
import { getAssetKeys, getRawAsset } from 'node:sea';
import { loadKeyring } from './keyring.ts';
import { loader } from './load.ts';

// The packaged program: its modules, their compiled code where it was made for this Node, and the keyring library are
// in the executable.

const asset = (name: string): Buffer => Buffer.from(getRawAsset(name) as ArrayBuffer);
/** The position of each in `modules`, by name: the first byte, and the one after the last. `getAsset` would load a decoder. */
const places: { readonly [name: string]: readonly [number, number] } = JSON.parse(
  asset('places').toString('latin1'),
);
const modules = asset('modules');
const part = (name: string) => {
  const place = places[name];
  return place && modules.subarray(...place);
};

// Most modules are ASCII, which is read faster than UTF-8.
const text = (code: Buffer | undefined): string =>
  code === undefined ? '' : code.toString(isAscii(code) ? 'latin1' : 'utf8');

const load = loader(
  {
    code: (name) => text(part(name)),
    compiled: (name) => part(`${name}.compiled`),
  },
  { natives: { '@napi-rs/keyring': () => loadKeyring(asset('keyring')) } },
);

/** The argument with which the program starts itself for an operation on the keyring. */
const keyring = '__keyring';
const [, , argument, ...rest] = process.argv;
if (argument === keyring && rest.length === 0) {
  load('keyring-program.js');
} else {
  const { cli } = load('cli.js') as { cli(keyring?: readonly [string, string]): Promise<number> };
  cli(getAssetKeys().includes('keyring') ? [process.execPath, keyring] : undefined).then((code) => {
    process.exitCode = code;
    // Nothing is left to wait for. Without this the runtime takes its heap apart first, which the system frees anyway.
    if (process.getActiveResourcesInfo().length === 0) process.exit();
    // A handle that is still open may not keep the caller waiting.
    setTimeout(() => process.exit(), 50).unref();
  });
}
