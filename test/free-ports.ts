// Ports that a process will listen on later: below those that the system gives to connections and to listeners that ask
// for any, so that nobody takes them until then, however long the process needs to start.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

const HOST = '127.0.0.1'
const FIRST = 12_000
const USUAL_FIRST_OF_SYSTEM = 32_768
/** Each worker that runs at the same time has ports of its own. */
const WORKERS = 8
const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS

/** The first of two neighbouring ports that nobody holds. */
export function freePair(): Promise<number> {
  return freePorts(2)
}

/** The first of so many neighbouring ports, by chance: other processes look for ports at the same time. */
export async function freePorts(count: number): Promise<number> {
  const ofWorker = Math.floor((firstOfSystem() - FIRST) / WORKERS)
  for (;;) {
    const port = FIRST + ofWorker * worker + Math.floor(Math.random() * (ofWorker - count))
    const bindable = await Promise.all(Array.from({ length: count }, (_, index) => isBindable(port + index)))
    if (bindable.every(Boolean)) return port
  }
}

function firstOfSystem(): number {
  try {
    const first = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/)[0])
    return first > 2 * FIRST ? first : USUAL_FIRST_OF_SYSTEM
  } catch {
    return USUAL_FIRST_OF_SYSTEM
  }
}

async function isBindable(port: number): Promise<boolean> {
  const server = createServer()
  const bound = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, HOST, () => resolve(true))
  })
  if (!bound) return false
  server.close()
  await once(server, 'close')
  return true
}
