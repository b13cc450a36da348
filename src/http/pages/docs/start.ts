// The start page of the documentation: a summary, the first transfer from the README, and all endpoints.
import type { Document } from '../openapi.ts'
import { operationsOf } from './endpoints.ts'
import { escape, type Place } from './frame.ts'
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
