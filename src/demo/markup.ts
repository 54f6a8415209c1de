/** Makes the pages of the demo web from short texts: paragraphs, `## headings`, `- lists` and `[links](/to)`. */

/** What surrounds the text on every page of one site. */
export interface Frame {
  readonly site: string;
  readonly language: string;
  readonly nav: readonly (readonly [label: string, href: string])[];
  readonly footer: string;
}

export interface Article {
  readonly title: string;
  readonly text: string;
  /** Value of `<meta charset>`; none is written when absent. */
  readonly charset?: string;
  /** More elements for the head, as HTML. */
  readonly head?: string;
}

/** A whole HTML page: navigation and footer around the main content, as real sites have it. */
export function htmlPage(frame: Frame, article: Article): string {
  const charset = article.charset === undefined ? '' : `<meta charset="${article.charset}">\n`;
  const nav = frame.nav.map(([label, href]) => `<a href="${href}">${label}</a>`).join('\n');
  return `<!doctype html>
<html lang="${frame.language}">
<head>
${charset}<title>${escapeHtml(article.title)} – ${frame.site}</title>
${article.head ?? ''}
</head>
<body>
<header><p>${frame.site}</p>
<nav>
${nav}
</nav></header>
<main>
<h1>${escapeHtml(article.title)}</h1>
${htmlOf(article.text)}
</main>
<footer><p>${frame.footer}</p></footer>
</body>
</html>
`;
}

function htmlOf(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => htmlOfBlock(block.trim()))
    .join('\n');
}

function htmlOfBlock(block: string): string {
  if (block.startsWith('<')) return block; // HTML as it stands, for the odd pages
  if (block.startsWith('## ')) return `<h2>${inline(block.slice(3))}</h2>`;
  if (!block.startsWith('- ')) return `<p>${inline(block)}</p>`;
  const items = block.split('\n').map((line) => `<li>${inline(line.trim().replace(/^- /, ''))}</li>`);
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

function inline(text: string): string {
  return escapeHtml(text).replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
