// The client of the socket of the observed service.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SOCKET, type Observed } from './observed.ts'

export interface Observer extends Disposable {
  /** The intervals since the last call, in order. An interval ends at the first write, too. */
  next(): Promise<readonly Observed[]>
}

export async function openObserver(dir: string): Promise<Observer> {
  const socket: Socket = connect(join(dir, SOCKET))
  await once(socket, 'connect')
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  return {
    async next() {
      socket.write('\n')
      const line: IteratorResult<string, unknown> = await lines.next()
      if (line.done === true) throw new Error('the observed service ended')
      return JSON.parse(line.value) as Observed[]
    },
    [Symbol.dispose]: () => socket.destroy(),
  }
}
