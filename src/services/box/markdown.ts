/** Renders markdown to HTML that is safe to show: without HTML of the author, and with links to web and mail only. */
export type RenderMarkdown = (markdown: string) => string;

/** Characters of markdown whose HTML is cached. */
const maxCachedCharacters = 2_000_000;

/** What links and images may point to: these schemes, or a path. */
const schemes = ['http', 'https', 'mailto'];

let renderer: Promise<RenderMarkdown> | undefined;

/** The renderer; its library is loaded with the first call. */
export function markdownRenderer(): Promise<RenderMarkdown> {
  renderer ??= loadRenderer();
  return renderer;
}

async function loadRenderer(): Promise<RenderMarkdown> {
  const { default: MarkdownIt } = await import('markdown-it');
  const parser = new MarkdownIt({ html: false });
  parser.validateLink = isSafeLink;
  const cache = new Map<string, string>();
  let cachedCharacters = 0;
  return (markdown) => {
    const cached = cache.get(markdown);
    if (cached !== undefined) return cached;
    const html = parser.render(markdown).trimEnd();
    cachedCharacters += markdown.length;
    if (cachedCharacters > maxCachedCharacters) {
      cache.clear();
      cachedCharacters = markdown.length;
    }
    cache.set(markdown, html);
    return html;
  };
}

/** Whether a link, with its special characters escaped, has one of the schemes or none. */
function isSafeLink(url: string): boolean {
  const scheme = /^([^/?#]*?):/.exec(url.trim())?.[1];
  return scheme === undefined || schemes.includes(scheme.toLowerCase());
}
