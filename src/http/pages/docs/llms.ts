// `/llms.txt`, the list of pages with one sentence each, and `/llms-full.txt`, all pages as one text, for programs that
// read documentation as text.
import type { RenderedPage } from './search.ts'

export const LLMS_PATH = '/llms.txt'
export const LLMS_FULL_PATH = '/llms-full.txt'

const SUMMARY = `# Holdfast

> A self-hosted service for assets on Solana: accounts and their keys, tokens, positions, transfers, loans and oracle feeds, for several
> tenants, behind one REST interface under /api/v1. A request that moves value takes effect at most once.

Authentication: \`Authorization: Bearer <API key>\`. Amounts: \`amount\` in display units, \`lamports\` in raw units. Repeat a write with the
same \`Idempotency-Key\`. Unknown members of a body are refused.
`

export function llmsText(
  places: readonly { readonly path: string; readonly title: string; readonly about?: string }[],
): string {
  const rows = places.map(({ path, title, about }) => `- [${title}](${path})${about === undefined ? '' : `: ${about}`}`)
  return `${SUMMARY}
## Interface

- [OpenAPI 3.1](/openapi.json): every operation with its schemas, roles, examples of bodies and answers.
- [Postman collection](/collection.json): the same as requests.
- [Client in Python](/docs/clients/holdfast.py): generated from the OpenAPI document; standard library only.
- [Client in Go](/docs/clients/holdfast.go): generated from the OpenAPI document; standard library only.
- [All pages as one text](${LLMS_FULL_PATH})

## Documentation

${rows.join('\n')}
`
}

export function llmsFullText(pages: readonly RenderedPage[]): string {
  return [SUMMARY, ...pages.map(({ title, path, html }) => `# ${title} (${path})\n\n${plainText(html)}`)].join('\n\n')
}

/** HTML of a page as text: headings, lists, tables and code keep their form. */
function plainText(html: string): string {
  return html
    .replaceAll(/<(svg|figure)[^]*?<\/\1>/g, '')
    .replaceAll(/<pre><code>([^]*?)<\/code><\/pre>/g, '\n```\n$1\n```\n')
    .replaceAll(/<h([2-4])[^>]*>/g, (_tag, depth: string) => `\n${'#'.repeat(Number(depth))} `)
    .replaceAll(/<(?:li|dt)[^>]*>/g, '\n- ')
    .replaceAll(/<(?:td|th)[^>]*>/g, ' | ')
    .replaceAll('<dd>', ': ')
    .replaceAll(/<\/?(?:p|ul|ol|dl|tr|table|h\d|div|section|summary|details)\b[^>]*>/g, '\n')
    .replaceAll(/<\/?[a-z][^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
