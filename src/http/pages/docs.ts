// The readable page: the OpenAPI document as plain HTML, without scripts and without anything from another host.
import type { Document, Json } from './openapi.ts'
import { STYLE } from './style.ts'

interface Operation {
  readonly method: string
  readonly path: string
  readonly about: Json
}

interface Content {
  readonly schema: Json
  readonly example?: object
}

export function docsPage(document: Document): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]): Operation => ({ method: method.toUpperCase(), path, about })))
  const { title, description } = document['info'] as { title: string; description: string }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title><style>${STYLE}</style></head><body>
<h1>${escape(title)}</h1><p>${escape(description)}</p>
<p>The same as <a href="/openapi.json">OpenAPI 3.1</a>. Send <code>Authorization: Bearer &lt;API key&gt;</code> with every request.</p>
<nav><ul>${operations.map(entry).join('')}</ul></nav>
<h2>Endpoints</h2>${operations.map(section).join('')}
<h2>Schemas</h2>${Object.entries(document.components.schemas).map(([name, schema]) => component(name, schema)).join('')}
</body></html>`
}

function entry({ method, path, about }: Operation): string {
  return `<li><a href="#${anchor(about)}">${escape(method)} ${escape(path)}</a> ${escape(String(about['summary']))}</li>`
}

function section({ method, path, about }: Operation): string {
  const body = contentOf(about['requestBody'])
  const responses = Object.entries(about['responses'] as Record<string, Json>)
  return `<h3 id="${anchor(about)}"><span class="method">${escape(method)}</span> <code>${escape(path)}</code></h3>
<p>${escape(String(about['summary']))}. ${escape(String(about['description']))}</p>
${body === undefined ? '' : `<p>Body: ${typeOf(body.schema)}</p>${members(body.schema)}`}
${body?.example === undefined ? '' : `<pre>${escape(JSON.stringify(body.example, null, 2))}</pre>`}
<p>Answers: ${responses.map(([status, response]) => `<code>${status}</code> ${answerType(response)}`).join(', ')}</p>`
}

function component(name: string, schema: Json): string {
  return `<h3 id="schema-${escape(name)}">${escape(name)}</h3>${described(schema)}${members(schema)}`
}

function answerType(response: Json): string {
  const content = contentOf(response)
  return content === undefined ? '' : typeOf(content.schema)
}

function contentOf(holder: unknown): Content | undefined {
  return (holder as { content?: Record<string, Content> } | undefined)?.content?.['application/json']
}

function members(schema: Json): string {
  const properties = schema['properties'] as Record<string, Json> | undefined
  if (properties === undefined) return ''
  const required = new Set(schema['required'] as string[] | undefined)
  const rows = Object.entries(properties).map(([name, member]) => {
    const needed = required.has(name) ? ' (needed)' : ''
    return `<tr><td><code>${escape(name)}</code>${needed}</td><td>${typeOf(member)}</td><td>${described(member)}</td></tr>`
  })
  return `<table><tbody>${rows.join('')}</tbody></table>`
}

function typeOf(schema: Json): string {
  const { $ref, type, items, enum: values, anyOf, allOf } = schema as {
    $ref?: string; type?: string | string[]; items?: Json; enum?: unknown[]; anyOf?: Json[]; allOf?: Json[]
  }
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

function anchor(about: Json): string {
  return escape(String(about['operationId']))
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
