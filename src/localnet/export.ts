// Exports the ledger to the owner of the data directory over a socket in it, for a backup while the chain runs. `GET
// /rows` returns all rows as of that moment, each as length of the key (u32), key, length of the value, value. `GET
// /changes?after=N` returns the batches after N, for an archive that has the earlier ones. HTTP tells the reader when a
// response is cut off.
import { chmod, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const EXPORT_SOCKET = 'export.sock'
const PIECE_BYTES = 256 * 1024

export interface ExportSource {
  rows(): AsyncIterable<[Buffer, Buffer]>
  changes(after: number): AsyncIterable<[Buffer, Buffer]>
}

export interface ExportServer {
  close(): void
}

/**
 * Must be called only while the directory is locked, because it removes a socket of an earlier run. Rejects if no
 * socket can be created at the path.
 */
export async function startExport(dataDir: string, ledger: ExportSource): Promise<ExportServer> {
  const path = join(dataDir, EXPORT_SOCKET)
  await rm(path, { force: true })
  const server = createServer((request, response) => {
    const rows = request.method === 'GET' ? rowsFor(request.url ?? '', ledger) : null
    if (rows === null) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    // A reader that disconnects is not an error of the chain.
    pipeline(Readable.from(pieces(rows)), response).catch(() => undefined)
  })
  await listenPrivately(server, path)
  return {
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function rowsFor(url: string, ledger: ExportSource): AsyncIterable<[Buffer, Buffer]> | null {
  if (url === '/rows') return ledger.rows()
  const after = /^\/changes\?after=(\d{1,15})$/.exec(url)?.[1]
  return after === undefined ? null : ledger.changes(Number(after))
}

/** Connections made before the socket is restricted to the owner are dropped. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const turnAway = (socket: { destroy(): void }): void => socket.destroy()
  server.on('connection', turnAway)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  await chmod(path, 0o600)
  server.off('connection', turnAway)
}

async function* pieces(rows: AsyncIterable<[Buffer, Buffer]>): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const row of rows) {
    for (const part of row) {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(part.length)
      parts.push(length, part)
      bytes += 4 + part.length
    }
    if (bytes < PIECE_BYTES) continue
    yield Buffer.concat(parts)
    parts = []
    bytes = 0
  }
  if (parts.length > 0) yield Buffer.concat(parts)
}
