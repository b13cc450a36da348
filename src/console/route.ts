// The current route: the part of the address after `#`, which is never sent to a server. Its parts are encoded, and it
// contains nothing of a session.
import { useEffect, useState } from 'preact/hooks'

export interface Route {
  /** Parts between slashes, decoded; empty on the first page. */
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return { parts: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) }
}

export function href(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

/** The same page with another query; a member that is null or empty is left out. */
export function withQuery({ parts }: Route, query: Readonly<Record<string, string | null>>): string {
  const kept = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== '')
  const text = new URLSearchParams(kept).toString()
  return href(...parts) + (text === '' ? '' : `?${text}`)
}

export function go(to: string): void {
  location.hash = to.replace(/^#/, '')
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = (): void => setHash(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return routeOf(hash)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
