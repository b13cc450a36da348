// Frame of every documentation page: menu, search, and a content policy that allows its one style sheet and its one
// script, which adds a copy button to code blocks. No page needs the script; the reference, which is a program, is
// built separately (`src/reference/`).
export interface Page {
  readonly path: string
  readonly title: string
  /** HTML of the page below its heading. Sections begin with headings that have an id. */
  readonly content: () => string | Promise<string>
}

/** An entry of the menu. */
export interface Place {
  readonly path: string
  readonly title: string
}

export const STYLE_PATH = '/docs/style.css'
export const COPY_PATH = '/docs/copy.js'
export const ICON_PATH = '/docs/icon.svg'
export const SEARCH_PATH = '/docs/search'
export const REFERENCE: Place = { path: '/docs/reference', title: 'Reference' }
export const CONSOLE: Place = { path: '/console', title: 'Console' }
/** Content policy of the pages. `form-action`: the search form submits to this service. */
export const PAGE_POLICY =
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; ` +
  `base-uri 'none'; frame-ancestors 'none'`

/** @param asked value of the search field */
export function framePage({ path, title }: Place, content: string, places: readonly Place[], asked = ''): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title === 'Holdfast' ? title : `${escape(title)} · Holdfast`}</title>
<link rel="icon" href="${ICON_PATH}"><link rel="stylesheet" href="${STYLE_PATH}">
<script type="module" src="${COPY_PATH}"></script></head><body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="/">Holdfast</a>
<a href="${CONSOLE.path}">${CONSOLE.title}</a>
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

/** Content wider than the page scrolls on its own, also by keyboard. */
export function scrollable(label: string, content: string, kind = ''): string {
  return `<div class="${`wide ${kind}`.trim()}" role="group" tabindex="0" aria-label="${escape(label)}">${content}</div>`
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Converts a heading to an id. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
