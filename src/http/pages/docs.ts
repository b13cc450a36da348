// The readable page: the OpenAPI document as plain HTML, without scripts and without anything from another host.
import { createHash } from 'node:crypto'
import type { Document, Json } from './openapi.ts'

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #1b1f24; background: #fff }
h1, h2, h3 { line-height: 1.2 } h3 { margin-top: 2.5rem } code, pre { font: 14px/1.45 ui-monospace, monospace }
pre { background: #f4f5f7; padding: .75rem; overflow-x: auto; border-radius: 6px }
table { border-collapse: collapse; width: 100% } td, th { border-bottom: 1px solid #d9dde2; padding: .3rem .6rem; text-align: left; vertical-align: top }
.method { background: #14532d; color: #fff; padding: .1rem .45rem; border-radius: 4px; font-size: .8em }
nav li { margin: .15rem 0 }
@media (prefers-color-scheme: dark) { body { background: #16191d; color: #e6e8eb } pre { background: #22272d } td, th { border-color: #3a4149 } a { color: #8ab4f8 } }
`

/** For the page's Content-Security-Policy: its one style sheet, and nothing else. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; `
  + `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function docsPage(document: Document): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
  const info = document['info'] as { title: string; description: string }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(info.title)}</title><style>${STYLE}</style></head><body>
<h1>${escape(info.title)}</h1><p>${escape(info.description)}</p>
<p>The same as <a href="/openapi.json">OpenAPI 3.1</a>. Send <code>Authorization: Bearer &lt;API key&gt;</code> with every request.</p>
<nav><ul>${operations.map(({ path, method, operation }) => `<li><a href="#${anchor(operation)}">${escape(method.toUpperCase())} ${escape(path)}</a> ${escape(String(operation['summary']))}</li>`).join('')}</ul></nav>
<h2>Endpoints</h2>${operations.map(({ path, method, operation }) => section(path, method, operation)).join('')}
<h2>Schemas</h2>${Object.entries(document.components.schemas).map(([name, schema]) => `<h3 id="schema-${escape(name)}">${escape(name)}</h3>${described(schema)}${members(schema)}`).join('')}
</body></html>`
}

function section(path: string, method: string, operation: Json): string {
  const body = contentOf(operation['requestBody'])
  const responses = operation['responses'] as Record<string, Json>
  return `<h3 id="${anchor(operation)}"><span class="method">${escape(method.toUpperCase())}</span> <code>${escape(path)}</code></h3>
<p>${escape(String(operation['summary']))}. ${escape(String(operation['description']))}</p>
${body === undefined ? '' : `<p>Body: ${typeOf(body.schema)}</p>${members(body.schema)}`}
${body?.example === undefined ? '' : `<pre>${escape(JSON.stringify(body.example, null, 2))}</pre>`}
<p>Answers: ${Object.entries(responses).map(([status, response]) => `<code>${status}</code> ${answerType(response)}`).join(', ')}</p>`
}

function answerType(response: Json): string {
  const content = contentOf(response)
  return content === undefined ? '' : typeOf(content.schema)
}

function contentOf(holder: unknown): { schema: Json; example?: object } | undefined {
  return (holder as { content?: Record<string, { schema: Json; example?: object }> } | undefined)?.content?.['application/json']
}

function members(schema: Json): string {
  const properties = schema['properties'] as Record<string, Json> | undefined
  if (properties === undefined) return ''
  const required = new Set(schema['required'] as string[] | undefined)
  const rows = Object.entries(properties).map(([name, member]) =>
    `<tr><td><code>${escape(name)}</code>${required.has(name) ? ' (needed)' : ''}</td><td>${typeOf(member)}</td><td>${described(member)}</td></tr>`)
  return `<table><tbody>${rows.join('')}</tbody></table>`
}

function typeOf(schema: Json): string {
  const { $ref, type, items, anyOf, allOf } = schema as { $ref?: string; type?: string | string[]; items?: Json; anyOf?: Json[]; allOf?: Json[] }
  const values = schema['enum'] as unknown[] | undefined
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return `<a href="#schema-${escape(name)}">${escape(name)}</a>`
  }
  if (values !== undefined) return values.map((value) => `<code>${escape(String(value))}</code>`).join(' ')
  if (items !== undefined) return `list of ${typeOf(items)}`
  const variants = anyOf ?? allOf
  if (variants !== undefined) return variants.map(typeOf).join(' or ')
  return escape(type === undefined ? 'any' : [type].flat().join(' or '))
}

function described(schema: Json): string {
  return typeof schema['description'] === 'string' ? `<p>${escape(schema['description'])}</p>` : ''
}

function anchor(operation: Json): string {
  return escape(String(operation['operationId']))
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
