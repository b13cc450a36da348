// What the included chain wrote behind a batch, asked over the socket in its directory: for an archive.
import { request, type IncomingMessage } from 'node:http'
import { rowsFrom, type Row } from '../../snapshots/backup/rows.ts'

/** Some of it when there is much; nothing: there is no more. Throws while the chain does not answer, and when it was cut off. */
export async function* chainChanges(socketPath: string, after: number): AsyncGenerator<Row, void, undefined> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath, path: `/changes?after=${after}` }, resolve)
      .on('error', reject)
      .end()
  })
  if (response.statusCode !== 200) throw new Error(`the included chain answers ${String(response.statusCode)} to an archive`)
  yield* rowsFrom(response as AsyncIterable<Buffer>)
}
