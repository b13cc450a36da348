// The complete API as plain HTML, generated from the OpenAPI document: readable, searchable and printable without
// scripts.
import type { Document, Json } from '../openapi.ts'
import { codeHtml } from './markdown.ts'
import { escape, REFERENCE, scrollable } from './frame.ts'

export interface Operation {
  readonly method: string
  readonly path: string
  /** Id of the section in the page. */
  readonly anchor: string
  readonly about: Json
}

interface Content {
  readonly schema: Json
  readonly example?: object
}

export function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]) => ({
      method: method.toUpperCase(),
      path,
      anchor: anchorOf(about),
      about,
    })),
  )
}

export function endpointsPage(document: Document): string {
  const { description } = document['info'] as { description: string }
  return `<p>${escape(description)}</p>
<p>The same as <a href="/openapi.json">OpenAPI 3.1</a>; what each role allows is on the page <a href="/docs/roles">Roles</a>. Send <code>Authorization: Bearer &lt;API key&gt;</code> with every request.</p>
<h2 id="endpoints">Endpoints</h2>${operationsOf(document).map(section).join('')}
<h2 id="schemas">Schemas</h2>${Object.entries(document.components.schemas)
    .map(([name, schema]) => component(name, schema))
    .join('')}`
}

function section({ method, path, anchor, about }: Operation): string {
  const body = contentOf(about['requestBody'])
  const responses = Object.entries(about['responses'] as Record<string, Json>)
  const [tag = ''] = about['tags'] as string[]
  return `<h3 id="${anchor}"><span class="method">${escape(method)}</span> <code>${escape(path)}</code></h3>
<p>${escape(String(about['summary']))}. ${linked(about)}
<a href="${REFERENCE.path}#/${encodeURIComponent(tag)}/${anchor}" aria-label="Try it: ${escape(`${method} ${path}`)}">Try it</a></p>
${body === undefined ? '' : `<p>Body: ${typeOf(body.schema)}</p>${members('Body', body.schema)}`}
${example('body', body)}
<p>Answers: ${responses.map(([status, response]) => `<code>${status}</code> ${answerType(response)}`).join(', ')}</p>
${responses
  .filter(([status]) => Number(status) < 300)
  .map(([status, response]) => example(`answer ${status}`, contentOf(response)))
  .join('')}`
}

/** The description with its roles and bundles as links. */
function linked(about: Json): string {
  const roles = about['x-required-role'] as readonly string[]
  const bundles = about['x-bundles'] as readonly string[]
  const links = new Map([
    ...roles.map((role) => [role, `/docs/roles#${role}`] as const),
    ...bundles.map((bundle) => [bundle, `/docs/roles#bundle-${bundle}`] as const),
  ])
  return escape(String(about['description'])).replaceAll(/\b[A-Z][A-Z_]+\b/g, (name) => {
    const target = links.get(name)
    return target === undefined ? name : `<a href="${target}">${name}</a>`
  })
}

/** Left out of the search: the words of an example say nothing about the endpoint. */
function example(of: string, content: Content | undefined): string {
  if (content?.example === undefined) return ''
  return `<details class="example"><summary>Example of the ${of}</summary>${codeHtml(JSON.stringify(content.example, null, 2))}</details>`
}

function component(name: string, schema: Json): string {
  return `<h3 id="schema-${escape(name)}">${escape(name)}</h3>${described(schema)}${members(name, schema)}`
}

function answerType(response: Json): string {
  const content = contentOf(response)
  return content === undefined ? '' : typeOf(content.schema)
}

function contentOf(holder: unknown): Content | undefined {
  return (holder as { content?: Record<string, Content> } | undefined)?.content?.['application/json']
}

function members(of: string, schema: Json): string {
  const properties = schema['properties'] as Record<string, Json> | undefined
  if (properties === undefined) return ''
  const required = new Set(schema['required'] as string[] | undefined)
  const rows = Object.entries(properties).map(([name, member]) => {
    const needed = required.has(name) ? ' (needed)' : ''
    return `<tr><td><code>${escape(name)}</code>${needed}</td><td>${typeOf(member)}</td><td>${described(member)}</td></tr>`
  })
  return scrollable(`Members of ${of}`, `<table><tbody>${rows.join('')}</tbody></table>`)
}

function typeOf(schema: Json): string {
  const {
    $ref,
    type,
    items,
    enum: values,
    anyOf,
    allOf,
  } = schema as {
    $ref?: string
    type?: string | string[]
    items?: Json
    enum?: unknown[]
    anyOf?: Json[]
    allOf?: Json[]
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

function anchorOf(about: Json): string {
  return escape(String(about['operationId']))
}
