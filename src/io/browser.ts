interface BrowserEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/**
 * Opens an address in the user's browser, if a display exists: without one the opener of a Unix system would start a
 * text browser, which takes over the terminal.
 *
 * @returns whether a browser was started; it may still show nothing.
 */
export async function openBrowser(url: string, { env, platform }: BrowserEnvironment): Promise<boolean> {
  const hasDisplay =
    ['darwin', 'win32'].includes(platform) || env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME;
  if (!hasDisplay) return false;
  try {
    const { default: open } = await import('open');
    const child = await open(url);
    // It may end after Lanyard, or with an error.
    child.on('error', () => undefined);
    return true;
  } catch {
    return false;
  }
}
