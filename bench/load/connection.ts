// A keep-alive HTTP/1.1 connection with one open request: the least work per request for a client. Parses answers with
// a Content-Length, which the servers under test send; anything else fails.
import { connect, type Socket } from 'node:net'

export interface Reply {
  readonly status: number
  /** latin1: suitable for comparisons and for searching ASCII. */
  readonly body: string
}

export class Connection {
  readonly #socket: Socket
  #received = ''
  #onReply: ((reply: Reply | Error) => void) | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed a connection')))
  }

  static async open(host: string, port: number): Promise<Connection> {
    const socket = connect({ host, port, noDelay: true })
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new Connection(socket)
  }

  /** A server closes connections that are idle for long. */
  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** `onReply` is called once, with an error when the connection is lost or the answer cannot be read. */
  exchange(request: string, onReply: (reply: Reply | Error) => void): void {
    this.#onReply = onReply
    if (!this.isOpen) {
      this.#fail(new Error('the connection is closed'))
      return
    }
    this.#socket.write(request, 'latin1')
  }

  close(): void {
    this.#onReply = null
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#received += chunk.toString('latin1')
    const text = this.#received
    const headEnd = text.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd + 2))?.[1]
    if (length === undefined) {
      this.#fail(new Error(`an answer without Content-Length: ${text.slice(0, 200)}`))
      return
    }
    const bodyStart = headEnd + 4
    if (text.length < bodyStart + Number(length)) return
    this.#received = ''
    this.#settle({ status: Number(text.slice(9, 12)), body: text.slice(bodyStart) })
  }

  #fail(error: Error): void {
    this.#settle(error)
  }

  #settle(reply: Reply | Error): void {
    const onReply = this.#onReply
    this.#onReply = null
    onReply?.(reply)
  }
}
