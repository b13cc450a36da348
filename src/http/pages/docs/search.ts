// Full-text search over the sections of all documentation pages. The index is built on first use. A term of three
// characters or more matches prefixes of words and of the words within identifiers (`leased` matches `NONCE_LEASED`);
// matches in headings weigh more.
import MiniSearch from 'minisearch'
import { escape } from './frame.ts'
import { inSlices } from './slices.ts'

interface Part {
  readonly url: string
  readonly title: string
  /** Title of the page that contains the section. */
  readonly page: string
  readonly text: string
}

/** A rendered page. */
export interface RenderedPage {
  readonly path: string
  readonly title: string
  readonly html: string
}

export interface SearchHit {
  readonly url: string
  readonly title: string
  readonly page: string
  /** An excerpt as HTML, with the matches marked. */
  readonly excerpt: string
}

export interface Index {
  /** Best match first. Empty if a term matches nothing. */
  find(text: string): readonly SearchHit[]
}

const MAX_TERMS = 4
/** A shorter term matches whole words only: many words begin with it, and each costs time. */
const MIN_PREFIX_LENGTH = 3
const MAX_FOUND = 40
const TITLE_BOOST = 6
/** Score factors: a heading with all terms, and a heading equal to the query. */
const ALL_IN_TITLE = 2
const IS_TITLE = 4
const EXCERPT_LENGTH = 220

export async function indexOf(pages: readonly RenderedPage[]): Promise<Index> {
  const parts: Part[] = []
  const index = new MiniSearch<Part & { readonly id: number }>({
    fields: ['title', 'text'],
    tokenize: wordsOf,
    searchOptions: {
      prefix: ({ length }) => length >= MIN_PREFIX_LENGTH,
      combineWith: 'AND',
      boost: { title: TITLE_BOOST },
    },
  })
  await inSlices(pages, (page) => {
    for (const part of partsOf(page)) index.add({ ...part, id: parts.push(part) - 1 })
  })

  return {
    find(text) {
      const asked = [...new Set(text.toLowerCase().match(/[a-z0-9_.]+/g))].slice(0, MAX_TERMS)
      if (asked.length === 0) return []
      return index
        .search(asked.join(' '), { tokenize: (query) => query.split(' ') })
        .map(({ id, score }) => ({
          part: parts[Number(id)]!,
          id: Number(id),
          score: score * titleFactor(parts[Number(id)]!, asked),
        }))
        .toSorted((a, b) => b.score - a.score || a.id - b.id)
        .slice(0, MAX_FOUND)
        .map(({ part }) => shown(part, asked))
    },
  }
}

function titleFactor({ title }: Part, asked: readonly string[]): number {
  const lower = title.toLowerCase()
  if (lower === asked.join(' ')) return IS_TITLE
  return asked.every((word) => lower.includes(word)) ? ALL_IN_TITLE : 1
}

/** Words as written, and the words within them. */
function wordsOf(text: string): string[] {
  return (text.match(/[A-Za-z0-9_.]+/g) ?? []).flatMap((whole) => {
    const word = whole.replace(/\.+$/, '').toLowerCase()
    const pieces = whole
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[\s_.]+/)
      .filter(Boolean)
    return pieces.length > 1 ? [word, ...pieces] : [word]
  })
}

/** Splits a page at elements with an id: headings and terms of lists. */
function partsOf({ path, title, html }: RenderedPage): Part[] {
  const [head = '', ...others] = html.split(/(?=<(?:h[23]|dt) id=")/)
  const first = { url: path, title, page: title, text: textOf(head) }
  return [
    first,
    ...others.map((part): Part => {
      const [, tag = '', id = ''] = /^<(\w+) id="([^"]*)">/.exec(part) ?? []
      const close = `</${tag}>`
      const end = part.indexOf(close)
      return {
        url: `${path}#${id}`,
        title: textOf(part.slice(0, end)),
        page: title,
        text: textOf(part.slice(end + close.length)),
      }
    }),
  ]
}

function textOf(html: string): string {
  const bare = html
    .replaceAll(/<svg[^]*?<\/svg>|<details class="example">[^]*?<\/details>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
  return bare
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function shown({ url, title, page, text }: Part, asked: readonly string[]): SearchHit {
  const found = Math.max(0, ...asked.map((word) => text.toLowerCase().indexOf(word)))
  const start = found < EXCERPT_LENGTH / 2 ? 0 : text.lastIndexOf(' ', found - EXCERPT_LENGTH / 3) + 1
  const piece = text.slice(start, start + EXCERPT_LENGTH)
  const excerpt = `${start > 0 ? '… ' : ''}${marked(piece, asked)}${start + EXCERPT_LENGTH < text.length ? ' …' : ''}`
  return { url, title, page, excerpt }
}

function marked(text: string, asked: readonly string[]): string {
  const pattern = new RegExp(`(${asked.map((word) => word.replaceAll('.', '\\.')).join('|')})`, 'gi')
  return text
    .split(pattern)
    .map((piece, index) => (index % 2 === 1 ? `<mark>${escape(piece)}</mark>` : escape(piece)))
    .join('')
}

export function foundPage(asked: string, found: readonly SearchHit[]): string {
  if (asked.trim() === '')
    return '<p>Write one word or several; a word is found by its first three characters or more.</p>'
  const many =
    found.length === 0
      ? 'Nothing was found'
      : found.length === MAX_FOUND
        ? `The best ${MAX_FOUND}`
        : `${found.length} found`
  const entry = ({ url, title, page, excerpt }: SearchHit): string =>
    `<li><a href="${escape(url)}">${escape(title)}</a> <small>${escape(page)}</small><p>${excerpt}</p></li>`
  return `<p role="status">${many} for <q>${escape(asked)}</q>.</p><ol class="found">${found.map(entry).join('')}</ol>`
}
