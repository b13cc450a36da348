// A minimal connection to PostgreSQL (protocol 3.0, text values): prepared statements, rows as text, COPY for loading.
import { connect, type Socket } from 'node:net'

const PROTOCOL = 196_608
const COPY_BYTES = 1 << 20

export type Row = readonly (string | null)[]

interface Waiting {
  readonly rows: Row[]
  readonly resolve: (rows: Row[]) => void
  readonly reject: (error: Error) => void
  error: Error | null
}

export class PostgresConnection {
  readonly #socket: Socket
  readonly #waiting: Waiting[] = []
  readonly #prepared = new Set<string>()
  #received: Buffer = Buffer.alloc(0)

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('close', () =>
      this.#waiting.forEach(({ reject }) => reject(new Error('PostgreSQL closed the connection'))),
    )
    socket.on('error', () => undefined)
  }

  /** @param path of the socket */
  static async open(path: string, user: string): Promise<PostgresConnection> {
    const socket = connect(path)
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    const connection = new PostgresConnection(socket)
    const words = Buffer.from(`user\0${user}\0database\0postgres\0\0`)
    const head = Buffer.alloc(8)
    head.writeInt32BE(8 + words.length, 0)
    head.writeInt32BE(PROTOCOL, 4)
    await connection.#ask(Buffer.concat([head, words]))
    return connection
  }

  get busy(): number {
    return this.#waiting.length
  }

  /** Several statements without parameters. */
  run(sql: string): Promise<Row[]> {
    return this.#ask(message('Q', `${sql}\0`))
  }

  /** A statement that is prepared once, with `$1` and so on for parameters. */
  query(sql: string, parameters: readonly string[]): Promise<Row[]> {
    const parts: Buffer[] = []
    const name = String(sql.length) + sql
    const short = `s${hashOf(name)}`
    if (!this.#prepared.has(short)) {
      this.#prepared.add(short)
      parts.push(message('P', `${short}\0${sql}\0`, Buffer.alloc(2)))
    }
    const counts = Buffer.from([0, 0, parameters.length >> 8, parameters.length & 255])
    const values = parameters.flatMap((text) => {
      const length = Buffer.alloc(4)
      length.writeInt32BE(Buffer.byteLength(text))
      return [length, Buffer.from(text)]
    })
    parts.push(
      message('B', `\0${short}\0`, Buffer.concat([counts, ...values, Buffer.alloc(2)])),
      message('E', '\0', Buffer.alloc(4)),
      message('S', ''),
    )
    return this.#ask(Buffer.concat(parts))
  }

  /** `COPY ... FROM STDIN` of lines of tab-separated values. */
  async copy(sql: string, lines: Iterable<string>): Promise<void> {
    const done = this.#ask(message('Q', `${sql}\0`))
    let batch = ''
    for (const line of lines) {
      batch += line
      if (batch.length < COPY_BYTES) continue
      if (!this.#socket.write(message('d', batch))) await new Promise((resolve) => this.#socket.once('drain', resolve))
      batch = ''
    }
    this.#socket.write(Buffer.concat([message('d', batch), message('c', '')]))
    await done
  }

  close(): void {
    this.#socket.end(message('X', ''))
  }

  #ask(bytes: Buffer): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ rows: [], resolve, reject, error: null })
      this.#socket.write(bytes)
    })
  }

  #take(chunk: Buffer): void {
    let rest = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1
      this.#handle(String.fromCharCode(rest[0]!), rest.subarray(5, end))
      rest = rest.subarray(end)
    }
    this.#received = rest
  }

  #handle(type: string, body: Buffer): void {
    const [waiting] = this.#waiting
    if (waiting === undefined) return
    if (type === 'D') waiting.rows.push(rowOf(body))
    else if (type === 'E')
      waiting.error = new Error(
        body
          .toString('utf8')
          .split('\0')
          .find((field) => field.startsWith('M')) ?? 'an error',
      )
    else if (type === 'Z') {
      this.#waiting.shift()
      if (waiting.error === null) waiting.resolve(waiting.rows)
      else waiting.reject(waiting.error)
    }
  }
}

function message(type: string, text: string, more: Buffer = Buffer.alloc(0)): Buffer {
  const words = Buffer.from(text)
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(4 + words.length + more.length, 1)
  return Buffer.concat([head, words, more])
}

function rowOf(body: Buffer): Row {
  const columns = body.readInt16BE(0)
  const row: (string | null)[] = []
  let at = 2
  for (let column = 0; column < columns; column += 1) {
    const length = body.readInt32BE(at)
    at += 4
    row.push(length === -1 ? null : body.toString('utf8', at, at + length))
    at += Math.max(0, length)
  }
  return row
}

function hashOf(text: string): string {
  let hash = 7
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0
  return hash.toString(36)
}
