import type { Target } from './links.ts';

/** The parts of markdown-it that are used here, so that its types are not needed. */
interface Token {
  readonly type: string;
  content: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface State {
  readonly tokens: readonly Token[];
  readonly env: { readonly path?: string; readonly realPath?: string };
  readonly Token: new (type: string, tag: string, nesting: 0) => Token;
}

export interface MarkdownIt {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } };
  readonly renderer: {
    readonly rules: { text?: unknown; code_inline?: unknown };
  };
  readonly utils: { escapeHtml(text: string): string };
}

/**
 * Resolves every link of a document, and escapes braces, which Vue would take for an expression.
 *
 * @param resolve what a link becomes; the source is the absolute path of the document
 */
export function documentRules(md: MarkdownIt, resolve: (source: string, target: string) => Target): void {
  md.core.ruler.push('document_links', ({ tokens, env, Token }) => {
    const source = env.realPath ?? env.path;
    if (source === undefined) return;
    for (const { children } of tokens) {
      if (children) resolveLinks(children, (target) => resolve(source, target), Token);
    }
  });
  const text = (tokens: readonly Token[], at: number): string =>
    md.utils.escapeHtml(tokens[at]?.content ?? '').replaceAll('{{', '&#123;&#123;');
  md.renderer.rules.text = text;
  md.renderer.rules.code_inline = (tokens: readonly Token[], at: number): string =>
    `<code>${text(tokens, at).replaceAll(/(?<!\S)-[\w-]{1,38}(?![\w-])/g, '<span class="flag">$&</span>')}</code>`;
}

function resolveLinks(tokens: Token[], resolve: (target: string) => Target, Code: State['Token']): void {
  for (let at = 0; at < tokens.length; at++) {
    const open = tokens[at];
    if (open?.type !== 'link_open') continue;
    const target = resolve(open.attrGet('href') ?? '');
    const close = tokens.findIndex(({ type }, position) => position > at && type === 'link_close');
    const text = tokens.slice(at + 1, close);
    if (target.kind === 'link') {
      open.attrSet('href', target.href);
      // A file name as text, such as docs/security.md, becomes the title of the page.
      const [only] = text;
      if (only && text.length === 1 && target.title && /^[\w./-]+\.md$/.test(only.content)) {
        only.content = target.title;
      }
      continue;
    }
    const path = new Code('code_inline', 'code', 0);
    path.content = target.path;
    tokens.splice(at, close - at + 1, ...withPath(text, path, Code));
  }
}

/** The text of a link to a file: the path, in parentheses after the text unless the text names it. */
function withPath(text: readonly Token[], path: Token, Text: State['Token']): Token[] {
  const words = text.map(({ content }) => content).join('');
  if (path.content.startsWith(words)) return [path];
  const [before, after] = [' (', ')'].map((content) => {
    const token = new Text('text', '', 0);
    token.content = content;
    return token;
  });
  return before && after ? [...text, before, path, after] : [...text, path];
}
