// The page "State machines": drawings and descriptions generated from the machines.
import { KINDS, type Kind } from '../../../../machines/kinds.ts'
import { chartOf, type Chart, type ChartState } from '../../../drawings/chart.ts'
import { drawMachine, kindWithArticle } from '../../../drawings/svg.ts'
import { escape, slug, scrollable } from './frame.ts'
import { inSlices } from './slices.ts'

export const DRAWINGS_PATH = '/docs/machines'

const drawn = new Map<Kind, string>()

/** Takes up to some tens of milliseconds; the result is cached. */
export function drawingOf(kind: Kind): string {
  const drawing = drawn.get(kind) ?? drawMachine(KINDS[kind].machine)
  drawn.set(kind, drawing)
  return drawing
}

export async function machinesPage(): Promise<string> {
  const kinds = Object.keys(KINDS) as Kind[]
  const sections = await inSlices(kinds, section)
  return `<p>Every record of the service is a state machine, and nothing changes a record but an event that its machine answers. The
drawings are made from the machines that run. An arrow is labelled with the events that may take a record along it: <code>command.</code> is said by
a request or by the service on its behalf, <code>chain.</code> is what the chain has shown, <code>clock.</code> is the time. A box names
under the state the events that change the record and leave it there. Every state answers every event; refusals, and what changes nothing, are
not drawn. A state with a double frame is an end; the dot is where records begin.</p>
<ul class="columns">${kinds.map((kind) => `<li><a href="#${slug(nameOf(kind))}">${escape(nameOf(kind))}</a></li>`).join('')}</ul>
${sections.join('\n')}`
}

function section(kind: Kind): string {
  const chart = chartOf(KINDS[kind].machine)
  const name = nameOf(kind)
  return `<section><h2 id="${slug(name)}">${escape(name)}</h2><p>${escape(chart.root.about)}</p>
<figure>${scrollable(`Drawing: ${name}`, drawingOf(kind))}</figure>
<dl>${chart.root.inside
    .filter(({ about }) => about !== '')
    .map(described)
    .join('')}</dl>
<details><summary>What leads where</summary>${moves(chart)}</details></section>`
}

function described({ key, about }: ChartState): string {
  return `<dt><code>${escape(key)}</code></dt><dd>${escape(about)}</dd>`
}

function moves({ id, root, arrows }: Chart): string {
  const starts = new Set(root.inside.filter(({ kind }) => kind === 'start').map(({ path }) => path))
  const rows = arrows.map(({ from, to, events }) => {
    const by = events.map((event) => `<code>${escape(event)}</code>`).join(' ')
    const begin = starts.has(from) ? 'at first' : `<code>${escape(from)}</code>`
    return `<tr><td>${begin}</td><td>${by}</td><td><code>${escape(to)}</code></td></tr>`
  })
  if (rows.length === 0) return '<p>Nothing: it has one state.</p>'
  const head = '<thead><tr><th scope="col">From</th><th scope="col">By</th><th scope="col">To</th></tr></thead>'
  return scrollable(`What leads where: ${kindWithArticle(id)}`, `<table>${head}<tbody>${rows.join('')}</tbody></table>`)
}

function nameOf(kind: Kind): string {
  const name = kindWithArticle(kind).replace(/^an? /, '')
  return name.charAt(0).toUpperCase() + name.slice(1)
}
