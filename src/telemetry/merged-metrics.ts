// The metrics of several parts of a process as one text: each family is declared once, with the series of all parts.
import type { Labels } from './metrics.ts'

export interface MetricsText {
  /** Added to every series. */
  readonly labels: Labels
  /** As `Metrics.render` gives it. */
  readonly text: string
}

interface Family {
  readonly head: string[]
  readonly series: string[]
}

const HEAD = /^# (?:HELP|TYPE) ([^ ]+)/
const SERIES = /^([^ {]+)(?:\{(.*)\})?( [^}]*)$/

export function mergedMetrics(parts: readonly MetricsText[]): string {
  const families = new Map<string, Family>()
  for (const { labels, text } of parts) {
    const added = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    const own = new Set<string>()
    let family: Family | undefined
    for (const line of text.split('\n')) {
      const name = HEAD.exec(line)?.[1]
      if (name !== undefined) {
        if (!families.has(name)) {
          families.set(name, { head: [], series: [] })
          own.add(name)
        }
        family = families.get(name)
        if (own.has(name)) family?.head.push(line)
      } else if (line !== '') family?.series.push(labelled(line, added))
    }
  }
  return [...families.values()].map(({ head, series }) => [...head, ...series, ''].join('\n')).join('\n')
}

function labelled(line: string, added: readonly string[]): string {
  const [, name, labels, value] = SERIES.exec(line) ?? []
  if (added.length === 0 || name === undefined) return line
  return `${name}{${[labels, ...added].filter((each) => each !== undefined && each !== '').join(',')}}${value ?? ''}`
}
