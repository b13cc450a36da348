// The page at the address that a start prints, and the start page of the documentation: a summary, the first transfer
// from the README, and all endpoints.
import type { Document } from '../openapi.ts'
import { operationsOf } from './endpoints.ts'
import { CONSOLE, escape, REFERENCE, type Place } from './frame.ts'
import { markdown } from './markdown.ts'
import { readmePart } from './documents.ts'

export function startPage(document: Document, places: readonly (Place & { readonly about?: string })[]): string {
  return `<p>Holdfast is a self-hosted service for assets on Solana. It holds accounts and their keys, creates tokens, opens positions and
moves value between them, for several tenants, behind one REST interface. A request that moves value takes effect at most once, and the
service never reports a transaction as failed while it may still land. This documentation is served by the service itself and describes
the running release.</p>
<dl>${places.map(entry).join('')}</dl>
<p>For machines: <a href="/openapi.json">OpenAPI 3.1</a>, and the same interface as <a href="/collection.json">a Postman collection</a>.</p>
<h2 id="first-transfer">First transfer</h2>
${markdown(readmePart('First transfer'))}
<h2 id="all-endpoints">All endpoints</h2>
${tags(document)}`
}

/** Leads to everything that the service serves besides its interface. */
export function landingPage(): string {
  const rows: readonly (readonly [path: string, title: string, about: string])[] = [
    [
      CONSOLE.path,
      CONSOLE.title,
      'The page for operators: records, transactions, live events, switches. It asks for an API key.',
    ],
    ['/docs', 'Documentation', 'Concepts, recipes, settings and operation of the running release, with search.'],
    [REFERENCE.path, REFERENCE.title, 'Every endpoint, with a form to send a request with an API key.'],
    ['/docs#first-transfer', 'First transfer', 'Ten lines of curl, from an empty service to a balance on chain.'],
    ['/openapi.json', 'OpenAPI', 'The interface as OpenAPI 3.1, for generators.'],
    ['/collection.json', 'Postman collection', 'The same interface as requests for Postman (v2.1).'],
  ]
  return `<p>The service is running. The first API key is in the file <code>bootstrap.key</code> of the data directory.</p>
<dl>${rows.map(([path, title, about]) => entry({ path, title, about })).join('')}</dl>`
}

function entry({ path, title, about }: Place & { readonly about?: string }): string {
  return about === undefined ? '' : `<dt><a href="${path}">${escape(title)}</a></dt><dd>${escape(about)}</dd>`
}

function tags(document: Document): string {
  const operations = operationsOf(document)
  const names = [...new Set(operations.flatMap(({ about }) => about['tags'] as string[]))]
  return names
    .map((name) => {
      const rows = operations
        .filter(({ about }) => (about['tags'] as string[]).includes(name))
        .map(
          ({ method, path, anchor, about }) =>
            `<li><a href="/docs/endpoints#${anchor}"><code>${method} ${escape(path)}</code></a> ${escape(String(about['summary']))}</li>`,
        )
      return `<h3>${escape(name)}</h3><ul>${rows.join('')}</ul>`
    })
    .join('')
}
