// A service for tests of the console without a browser: it answers what a test says, and keeps what it was asked.
import { vi } from 'vitest'
import { begin, end } from '../../src/console/session.ts'

export interface Asked {
  readonly path: string
  readonly isDryRun: boolean
  readonly key: string | null
  readonly body: { readonly itemData?: unknown; readonly itemQuery?: unknown }
}

/** A problem document with a status, or an answer; rejects: the answer is lost. */
type Answering = (asked: Asked) => Promise<Reply> | Reply
export type Reply = readonly [status: number, body: unknown]

/** Replaces `fetch` until the function that it returns is called. */
export function pretendService(answer: Answering): { readonly asked: Asked[]; readonly stop: () => void } {
  const asked: Asked[] = []
  const items = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  })
  vi.stubGlobal('fetch', async (path: string, { headers, body }: RequestInit) => {
    const sent = new Headers(headers)
    const one: Asked = {
      path: path.replace('/api/v1', ''),
      isDryRun: sent.has('holdfast-dry-run'),
      key: sent.get('idempotency-key'),
      body: JSON.parse(body as string) as Asked['body'],
    }
    asked.push(one)
    const [status, text] = await answer(one)
    return new Response(JSON.stringify(text), { status })
  })
  begin('key', {
    keyId: 'K',
    organizationExternalId: 'ACME',
    tenantOrganizationId: 'ACME',
    roles: ['ACCOUNTS_READ', 'INSTRUMENTS_READ'],
    clusters: [],
  })
  let isOver = false
  const stop = (): void => {
    if (isOver) return
    isOver = true
    end()
    vi.unstubAllGlobals()
  }
  return { asked, stop }
}

export const refused = (status: number, code: string): Reply => [
  status,
  { errors: [{ code, message: 'no', retryable: false }] },
]
