// Reads the changes of the embedded chain over the socket in its directory, for the point-in-time archive.
import { request, type IncomingMessage } from 'node:http'
import { rowsFrom, type BackupRow } from '../../snapshots/backup/rows.ts'

/**
 * Changes after a batch number; a long list comes in several calls, an empty one is the end. Throws when the chain does
 * not answer or the response is cut off.
 */
export async function* chainChanges(socketPath: string, after: number): AsyncGenerator<BackupRow, void, undefined> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath, path: `/changes?after=${after}` }, resolve)
      .on('error', reject)
      .end()
  })
  if (response.statusCode !== 200)
    throw new Error(`the included chain answers ${String(response.statusCode)} to an archive`)
  yield* rowsFrom(response as AsyncIterable<Buffer>)
}
