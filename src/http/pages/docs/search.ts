// Search over all pages of the documentation: an index of what the pages say, part by part, made once when it is first asked for. A word
// is found by its beginning, and by each of its own words (`NONCE_LEASED` by `leased`); what stands in a heading counts more.
import { escape } from './frame.ts'
import { inSlices } from './slices.ts'

interface Part {
  readonly url: string
  readonly title: string
  /** Of the page it stands on. */
  readonly page: string
  readonly text: string
}

/** A page as it is shown. */
export interface Shown {
  readonly path: string
  readonly title: string
  readonly html: string
}

export interface Found {
  readonly url: string
  readonly title: string
  readonly page: string
  /** Some of its text, HTML, with what was found marked. */
  readonly excerpt: string
}

export interface Index {
  /** The best first. Nothing when a word is nowhere. */
  find(text: string): readonly Found[]
}

const MOST_WORDS = 8
export const MOST_FOUND = 40
const IN_TITLE = 12
/** Times: a heading with all that was asked, and one that is just that. */
const ALL_IN_TITLE = 2
const IS_TITLE = 4
const MOST_SAID = 3
const EXCERPT = 220

export async function indexOf(pages: readonly Shown[]): Promise<Index> {
  const parts: Part[] = []
  /** For each word, how much it weighs in which parts. */
  const postings = new Map<string, Map<number, number>>()
  await inSlices(pages, (page) => {
    for (const part of partsOf(page)) {
      const number = parts.push(part) - 1
      for (const [word, weight] of weightsOf(part)) {
        const weights = postings.get(word) ?? new Map<number, number>()
        postings.set(word, weights.set(number, weight))
      }
    }
  })
  const vocabulary = [...postings.keys()].toSorted()

  return {
    find(text) {
      const asked = [...new Set(text.toLowerCase().match(/[a-z0-9_.]+/g))].slice(0, MOST_WORDS)
      if (asked.length === 0) return []
      const scores = asked.map((word) => score(word, vocabulary, postings, parts.length))
      const sums = [...scores[0]!]
        .filter(([number]) => scores.every((each) => each.has(number)))
        .map(([number]) => [number, scores.reduce((sum, each) => sum + each.get(number)!, 0) * standing(parts[number]!, asked)] as const)
      return sums
        .toSorted(([a, x], [b, y]) => y - x || a - b)
        .slice(0, MOST_FOUND)
        .map(([number]) => shown(parts[number]!, asked))
    },
  }
}

/** A long text does not win by saying a word again and again. */
function weightsOf({ title, text }: Part): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const word of wordsOf(text)) weights.set(word, Math.min(MOST_SAID, (weights.get(word) ?? 0) + 1))
  for (const word of new Set(wordsOf(title))) weights.set(word, (weights.get(word) ?? 0) + IN_TITLE)
  return weights
}

function standing({ title }: Part, asked: readonly string[]): number {
  const said = title.toLowerCase()
  if (said === asked.join(' ')) return IS_TITLE
  return asked.every((word) => said.includes(word)) ? ALL_IN_TITLE : 1
}

/** Of one word of the question, by part: rare words weigh more, whole words more than beginnings. */
function score(word: string, vocabulary: readonly string[], postings: ReadonlyMap<string, ReadonlyMap<number, number>>, parts: number) {
  const scores = new Map<number, number>()
  for (let at = firstFrom(vocabulary, word); vocabulary[at]?.startsWith(word) === true; at += 1) {
    const weights = postings.get(vocabulary[at]!)!
    const rarity = Math.log(1 + parts / weights.size) * (vocabulary[at] === word ? 2 : 1)
    for (const [number, weight] of weights) scores.set(number, (scores.get(number) ?? 0) + rarity * Math.log(1 + weight))
  }
  return scores
}

function firstFrom(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < word) low = middle + 1
    else high = middle
  }
  return low
}

/** Words as written, and what they are put together of. */
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

/** A page is parted at what has an address: headings, and the terms of lists. */
function partsOf({ path, title, html }: Shown): Part[] {
  const [head = '', ...others] = html.split(/(?=<(?:h[23]|dt) id=")/)
  const first = { url: path, title, page: title, text: textOf(head) }
  return [
    first,
    ...others.map((part): Part => {
      const [, tag = '', id = ''] = /^<(\w+) id="([^"]*)">/.exec(part) ?? []
      const close = `</${tag}>`
      const end = part.indexOf(close)
      return { url: `${path}#${id}`, title: textOf(part.slice(0, end)), page: title, text: textOf(part.slice(end + close.length)) }
    }),
  ]
}

function textOf(html: string): string {
  const bare = html.replaceAll(/<svg[^]*?<\/svg>/g, ' ').replaceAll(/<[^>]*>/g, ' ')
  return bare
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function shown({ url, title, page, text }: Part, asked: readonly string[]): Found {
  const found = Math.max(0, ...asked.map((word) => text.toLowerCase().indexOf(word)))
  const start = found < EXCERPT / 2 ? 0 : text.lastIndexOf(' ', found - EXCERPT / 3) + 1
  const piece = text.slice(start, start + EXCERPT)
  const excerpt = `${start > 0 ? '… ' : ''}${marked(piece, asked)}${start + EXCERPT < text.length ? ' …' : ''}`
  return { url, title, page, excerpt }
}

function marked(text: string, asked: readonly string[]): string {
  const pattern = new RegExp(`(${asked.map((word) => word.replaceAll('.', '\\.')).join('|')})`, 'gi')
  return text
    .split(pattern)
    .map((piece, index) => (index % 2 === 1 ? `<mark>${escape(piece)}</mark>` : escape(piece)))
    .join('')
}

export function foundPage(asked: string, found: readonly Found[]): string {
  if (asked.trim() === '') return '<p>Write one word or several; a word is found by its beginning.</p>'
  const many = found.length === 0 ? 'Nothing was found' : found.length === MOST_FOUND ? `The best ${MOST_FOUND}` : `${found.length} found`
  const entry = ({ url, title, page, excerpt }: Found): string =>
    `<li><a href="${escape(url)}">${escape(title)}</a> <small>${escape(page)}</small><p>${excerpt}</p></li>`
  return `<p role="status">${many} for <q>${escape(asked)}</q>.</p><ol class="found">${found.map(entry).join('')}</ol>`
}
