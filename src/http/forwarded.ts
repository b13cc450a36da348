// Requests whose body the gateway of this node has read, and those that another node has forwarded: their client is the
// one that the forwarding node saw.
import type { IncomingMessage } from 'node:http'

interface Forwarded {
  readonly body: Buffer
  /** Null: the client is the peer. */
  readonly client: string | null
}

const known = new WeakMap<IncomingMessage, Forwarded>()

export function noteForwarded(request: IncomingMessage, forwarded: Forwarded): void {
  known.set(request, forwarded)
}

/** For later readers of the body. */
export function noteRead(request: IncomingMessage, body: Buffer): void {
  if (!known.has(request)) known.set(request, { body, client: null })
}

/** The body, if it was read before. */
export function bodyReadOf(request: IncomingMessage): Buffer | undefined {
  return known.get(request)?.body
}

/** The address of the client, if another node has forwarded the request. */
export function forwardedClientOf(request: IncomingMessage): string | undefined {
  return known.get(request)?.client ?? undefined
}
