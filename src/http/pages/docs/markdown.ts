// The part of Markdown that the README is written in, as HTML: headings, paragraphs, lists of one level, tables, blocks of code, and within
// a line code, bold and links. Everything else is text: no HTML gets through.
import { escape, slug, wide } from './frame.ts'

const INLINE = /`([^`]+)`|\[((?:`[^`]*`|[^\]`])+)\]\((https:\/\/[^)\s]+)\)|\*\*([^*]+)\*\*/g

export function markdown(text: string): string {
  return blocksOf(text).map(blockHtml).join('\n')
}

/** Blocks are separated by empty lines, but for those within a block of code. */
function blocksOf(text: string): string[] {
  const parts = text.split(/^(```[^]*?^```)$/m)
  return parts
    .flatMap((part) => (part.startsWith('```') ? [part] : part.split(/\n{2,}/)))
    .map((part) => part.trim())
    .filter(Boolean)
}

function blockHtml(block: string): string {
  const [, code] = /^```\w*\n([^]*)\n```$/.exec(block) ?? []
  if (code !== undefined) return codeHtml(code)
  const [, title] = /^## (.+)$/.exec(block) ?? []
  // In the README a line of few words over a list is a heading too.
  if (title !== undefined || /^[A-Z][\w ,]+$/.test(block)) return `<h2 id="${slug(title ?? block)}">${inline(title ?? block)}</h2>`
  if (block.startsWith('|')) return table(block)
  if (block.startsWith('- '))
    return `<ul>${block
      .split(/\n(?=- )/)
      .map((item) => `<li>${inline(item.slice(2))}</li>`)
      .join('')}</ul>`
  return `<p>${inline(block)}</p>`
}

export function codeHtml(code: string): string {
  return wide('Code', `<pre><code>${escape(code)}</code></pre>`)
}

function table(block: string): string {
  const [head = [], , ...rows] = block.split('\n').map(cells)
  const titles = head.map((text) => `<th scope="col">${inline(text)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((text) => `<td>${inline(text)}</td>`).join('')}</tr>`).join('')
  return wide(head.filter(Boolean).join(', '), `<table><thead><tr>${titles}</tr></thead><tbody>${body}</tbody></table>`)
}

/** A bar within code does not part cells. */
export function cells(line: string): string[] {
  const parted = line.replaceAll(/`[^`]*`/g, (code) => code.replaceAll('|', '\0')).slice(1, line.lastIndexOf('|'))
  return parted.split('|').map((cell) => cell.replaceAll('\0', '|').trim())
}

function inline(text: string): string {
  let html = ''
  let end = 0
  for (const { 0: whole, 1: code, 2: name, 3: url, 4: bold, index } of text.matchAll(INLINE)) {
    html += escape(text.slice(end, index))
    if (code !== undefined) html += `<code>${escape(code)}</code>`
    else if (bold !== undefined) html += `<strong>${inline(bold)}</strong>`
    else html += `<a href="${escape(url ?? '')}" rel="noreferrer">${inline(name ?? '')}</a>`
    end = index + whole.length
  }
  return html + escape(text.slice(end))
}
