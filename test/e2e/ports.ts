// Ports for what must listen where it is told to, and again after a stop. The system gives away the ports of a range to
// all who ask for any port, and to every connection that is made: one of those may be taken while it is free for a
// moment. These are below that range.
import { randomInt } from 'node:crypto'
import { once as event } from 'node:events'
import { createServer } from 'node:net'

/** Pairs of each worker that runs at the same time. */
const PAIRS = 1_250
/** Above the ports that `fetch` refuses; Linux gives away those from 32,768 on. */
const FIRST_PORT = 12_000 + 2 * PAIRS * (Number(process.env['VITEST_POOL_ID'] ?? 0) % 8)

/** The first of two neighbouring ports that nobody holds. */
export async function freePair(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + 2 * randomInt(PAIRS)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const isBound = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isBound) return false
  server.close()
  await event(server, 'close')
  return true
}
