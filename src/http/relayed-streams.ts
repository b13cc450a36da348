// Event streams of other nodes that this node relays to its clients. A stop of this node ends them like its own ones.
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export class RelayedStreams {
  readonly #open = new Map<ServerResponse, Readable>()
  #ended = false

  /** If the connection to the owner is lost, the stream of the client ends too, and the client reconnects. */
  relay(source: Readable, response: ServerResponse): void {
    this.#open.set(response, source)
    response.once('close', () => {
      this.#open.delete(response)
      source.destroy()
    })
    pipeline(source, response).catch(() => response.destroy())
    if (this.#ended) endRelay(source, response)
  }

  /** Ends all streams, and from now on each one that begins: their clients reconnect to another node. */
  end(): void {
    this.#ended = true
    for (const [response, source] of this.#open) endRelay(source, response)
  }
}

/** A part that came after the end of the response would break the connection, so that the client sees no end. */
function endRelay(source: Readable, response: ServerResponse): void {
  source.unpipe(response)
  response.end()
}
