// What every page of the documentation has around its content: the way to the other pages, the search, and the policy that lets in its
// one style sheet and nothing else. No page needs a script; the reference, which is a program, is built beside these (`src/reference/`).
export interface Page {
  readonly path: string
  readonly title: string
  /** HTML of what the page says, below its heading. Its parts begin with headings that have an id. */
  readonly content: () => string | Promise<string>
}

/** A place in the list of pages. */
export interface Place {
  readonly path: string
  readonly title: string
}

export const STYLE_PATH = '/docs/style.css'
export const ICON_PATH = '/docs/icon.svg'
export const SEARCH_PATH = '/docs/search'
export const REFERENCE: Place = { path: '/docs/reference', title: 'Reference' }
/** Of the pages. `form-action`: the search asks this service. */
export const PAGE_POLICY =
  `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; ` + `base-uri 'none'; frame-ancestors 'none'`

/** @param asked what stands in the field of the search */
export function framed({ path, title }: Place, content: string, places: readonly Place[], asked = ''): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escape(title)} · Holdfast</title>
<link rel="icon" href="${ICON_PATH}"><link rel="stylesheet" href="${STYLE_PATH}"></head><body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="/docs">Holdfast</a>
<form role="search" action="${SEARCH_PATH}"><label for="q">Search</label>
<input type="search" id="q" name="q" maxlength="100" value="${escape(asked)}" autocomplete="off"><button>Find</button></form></header>
<div class="frame"><nav aria-label="Documentation">${menu(places, path)}</nav>
<main id="content" tabindex="-1"><h1>${escape(title)}</h1>
${content}
</main></div></body></html>`
}

export function menu(places: readonly Place[], current: string): string {
  const entry = ({ path, title }: Place): string =>
    `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${escape(title)}</a></li>`
  return `<ul>${places.map(entry).join('')}</ul>`
}

/** What is wider than the page is moved by itself, also by the keys. */
export function wide(label: string, content: string): string {
  return `<div class="wide" role="group" tabindex="0" aria-label="${escape(label)}">${content}</div>`
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** What an address within a page is made of. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
