/** What the packages of a platform contain, as absolute paths of the sources. */
export interface Contents {
  readonly executable: string;
  /** Folder with lanyard.bash, lanyard.zsh, lanyard.fish and lanyard.ps1. */
  readonly completions: string;
  /** Texts of licenses: of Lanyard, of the libraries, of Node, of the keyring library. */
  readonly licenses: readonly string[];
  /** Man pages, such as lanyard.1; empty: there are none. */
  readonly manPages: readonly string[];
}

/** Where a package has a file: the source, and the path in the package. */
export type Placed = readonly [source: string, path: string];

type Kind = 'archive' | 'windows' | 'deb' | 'rpm';

const folders = {
  archive: { prefix: '', zsh: 'share/zsh/site-functions', licenses: '' },
  deb: { prefix: 'usr/', zsh: 'share/zsh/vendor-completions', licenses: undefined },
  rpm: { prefix: 'usr/', zsh: 'share/zsh/site-functions', licenses: 'share/licenses/lanyard/' },
} as const;

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The files of a package. A Debian package has its licenses in one file, `copyright`, which is not listed here. */
export function layout(kind: Kind, contents: Contents): readonly Placed[] {
  const { executable, completions, licenses, manPages } = contents;
  if (kind === 'windows') {
    return [
      [executable, 'lanyard.exe'],
      [`${completions}/lanyard.ps1`, 'completions/lanyard.ps1'],
      ...licenses.map((path): Placed => [path, baseName(path)]),
    ];
  }
  const { prefix, zsh, licenses: licenseFolder } = folders[kind];
  const placed: Placed[] = [
    [executable, 'bin/lanyard'],
    [`${completions}/lanyard.bash`, 'share/bash-completion/completions/lanyard'],
    [`${completions}/lanyard.zsh`, `${zsh}/_lanyard`],
    [`${completions}/lanyard.fish`, 'share/fish/vendor_completions.d/lanyard.fish'],
    ...manPages.map((path): Placed => [path, `share/man/man${path.at(-1)}/${baseName(path)}`]),
  ];
  if (licenseFolder !== undefined) {
    placed.push(...licenses.map((path): Placed => [path, `${licenseFolder}${baseName(path)}`]));
  }
  return placed.map(([source, path]) => [source, `${prefix}${path}`]);
}
