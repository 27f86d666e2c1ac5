import { debianArch, type Target } from './targets.ts';

// Texts of the Debian and RPM packages, and of the manifests of Homebrew and Scoop.

const description = 'command line for secrets, discovery, boxes, variables and accounts';
const details = [
  'One command line for secrets and SSH certificates, service discovery, boxes,',
  'scheduler variables and accounts, with all five services built in. It works',
  'with OpenBao, Vault, Consul, Nomad, Boundary and Vagrant-compatible registries.',
];

export interface PackageInfo {
  readonly version: string;
  readonly target: Target;
  /** `NAME <ADDRESS>` */
  readonly maintainer: string;
}

/** A Debian version: a pre-release (`1.0.0-rc.1`) sorts before its release. */
export const debianVersion = (version: string): string => version.replace('-', '~');

/** @param size of the installed files, in bytes */
export function controlFile({ version, target, maintainer }: PackageInfo, size: number): string {
  return `Package: lanyard
Version: ${debianVersion(version)}
Architecture: ${debianArch[target.arch]}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(size / 1024)}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6
Suggests: openssh-client
Section: utils
Priority: optional
Description: ${description}
${details.map((line) => ` ${line}`).join('\n')}
`;
}

/** The changelog that Debian packages contain. */
export function debianChangelog({ version, maintainer }: PackageInfo, time: Date): string {
  const [day, date, month, year, clock] = time.toUTCString().replace(',', '').split(' ');
  return `lanyard (${debianVersion(version)}) unstable; urgency=medium

  * Release ${version}. CHANGELOG.md of the sources has the changes.

 -- ${maintainer}  ${day}, ${date} ${month} ${year} ${clock} +0000
`;
}

/** What lintian reports and is intended: Node's own libraries, and the texts of licenses. */
export const lintianOverrides = `# Node contains its libraries.
lanyard: embedded-library
# The executable of Node is not position-independent.
lanyard: hardening-no-pie
# The licenses of the libraries are reproduced as they are.
lanyard: copyright-file-contains-full-apache-2-license
lanyard: copyright-file-contains-full-gpl-license
lanyard: old-fsf-address-in-copyright-file
`;

/**
 * The spec file of the RPM package. rpmbuild gets the architecture as an argument, because `BuildArch` allows only that
 * of the machine.
 *
 * @param files installed paths, with \`root\` as the folder that contains them
 */
export function specFile(
  { version, maintainer }: PackageInfo,
  { root, files, seconds }: { root: string; files: readonly string[]; seconds: number },
): string {
  const time = new Date(seconds * 1000).toUTCString();
  const [, day, date, month, year] = /^(\w+), (\d+) (\w+) (\d+)/.exec(time) ?? [];
  const rpmVersion = version.replace('-', '~');
  return `# The executable is complete: stripping it would break it.
%define __strip /bin/true
%define __brp_strip %{nil}
%define debug_package %{nil}
%define _build_id_links none
%define _binary_payload w6.xzdio
%define _buildhost localhost
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1
%define source_date_epoch_from_changelog 0
%define __os_install_post %{nil}

Name: lanyard
Version: ${rpmVersion}
Release: 1
Summary: ${description}
License: MIT
AutoReqProv: no
Requires: glibc >= 2.28, libgcc, libstdc++

%description
${details.join('\n')}

%install
mkdir -p %{buildroot}
cp -a ${root}/. %{buildroot}/

%files
%defattr(-,root,root,-)
${files.join('\n')}

%changelog
* ${day} ${month} ${date} ${year} ${maintainer} - ${rpmVersion}-1
- Release ${version}
`;
}

/** Where the files of a release can be downloaded, and their checksums by name. */
export interface Published {
  readonly version: string;
  /** Without a trailing slash. */
  readonly address: string;
  readonly checksums: ReadonlyMap<string, string>;
}

/** The file of a release with its address and checksum. @throws Error: the release does not have it */
function download({ address, checksums }: Published, name: string): { url: string; sha256: string } {
  const sha256 = checksums.get(name);
  if (!sha256) throw new Error(`the release has no ${name}`);
  return { url: `${address}/${name}`, sha256 };
}

/** The Homebrew formula: macOS and Linux, x64 and arm64. */
export function formula(published: Published): string {
  const { version } = published;
  const source = (target: string, suffix: string) => {
    const { url, sha256 } = download(published, `lanyard-${version}-${target}.${suffix}`);
    return `      url "${url}"\n      sha256 "${sha256}"`;
  };
  const platform = (on: string, target: string, suffix: string) => `  on_${on} do
    on_arm do
${source(`${target}-arm64`, suffix)}
    end
    on_intel do
${source(`${target}-x64`, suffix)}
    end
  end
`;
  return `class Lanyard < Formula
  desc "Secrets, discovery, boxes, variables and accounts in one command line"
  homepage "${published.address}"
  version "${version}"
  license "MIT"

${platform('macos', 'darwin', 'tar.gz')}
${platform('linux', 'linux', 'tar.xz')}
  def install
    bin.install "bin/lanyard"
    bash_completion.install "share/bash-completion/completions/lanyard"
    zsh_completion.install "share/zsh/site-functions/_lanyard"
    fish_completion.install "share/fish/vendor_completions.d/lanyard.fish"
    man.install Dir["share/man/*"] if File.directory?("share/man")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/lanyard --version")
  end
end
`;
}

/** The Scoop manifest. */
export function scoopManifest(published: Published): string {
  const { version, address } = published;
  const name = `lanyard-${version}-win-x64`;
  const { url, sha256 } = download(published, `${name}.zip`);
  const manifest = {
    version,
    description,
    homepage: address,
    license: 'MIT',
    architecture: { '64bit': { url, hash: sha256, extract_dir: name } },
    bin: 'lanyard.exe',
  };
  return `${JSON.stringify(manifest, undefined, 4)}\n`;
}
