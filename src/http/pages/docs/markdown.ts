// Converts Markdown to HTML for documentation pages. HTML in Markdown is escaped. Links may lead to documentation
// pages, headings and https hosts; other targets become text. Images are omitted, because the page policy loads no
// files.
import { Marked, type RendererObject } from 'marked'
import { escape, slug, scrollable } from './frame.ts'

/** Documents link to each other by file name; these files are parts of other pages. */
const PAGE_OF_DOCUMENT: Readonly<Record<string, string>> = {
  'architecture.md': '/docs/how-it-works',
  'receiving-events.md': '/docs/events',
  'interface-notes.md': '/docs/notes',
  'limitations.md': '/docs/notes',
}

const renderer: RendererObject = {
  html: ({ text }) => escape(text),
  code: ({ text }) => codeHtml(text),
  image: () => '',
  heading({ tokens, depth, text }) {
    return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
  },
  link({ href, tokens, raw }) {
    const target = targetOf(href)
    if (target === undefined) return escape(raw)
    const relation = target.startsWith('https:') ? ' rel="noreferrer"' : ''
    return `<a href="${escape(target)}"${relation}>${this.parser.parseInline(tokens)}</a>`
  },
  table({ header, rows }) {
    const cell = (tag: string, tokens: (typeof header)[number]['tokens']): string =>
      `<${tag}>${this.parser.parseInline(tokens)}</${tag.slice(0, 2)}>`
    const head = header.map(({ tokens }) => cell('th scope="col"', tokens)).join('')
    const body = rows.map((row) => `<tr>${row.map(({ tokens }) => cell('td', tokens)).join('')}</tr>`).join('')
    const label = header
      .map(({ text }) => text)
      .filter(Boolean)
      .join(', ')
    return scrollable(label, `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`)
  },
}

const marked = new Marked({ renderer })

export function markdown(text: string): string {
  return marked.parse(text, { async: false })
}

function targetOf(href: string): string | undefined {
  if (/^(?:https:\/\/|#|\/docs\b)/.test(href)) return href
  const [, name] = /^(?:src\/docs\/)?([a-z-]+\.md)$/.exec(href) ?? []
  return name === undefined ? undefined : (PAGE_OF_DOCUMENT[name] ?? `/docs/${name.replace('.md', '')}`)
}

export function codeHtml(code: string): string {
  return scrollable('Code', `<pre><code>${escape(code)}</code></pre>`, 'code')
}
