// Unused ports.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Held for the shortest time, to learn its number. Null if it is used. */
async function claim(host: string, port: number): Promise<number | null> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch {
    return null
  } finally {
    if (server.listening) {
      server.close()
      await once(server, 'close')
    }
  }
}

export async function freePort(host: string): Promise<number> {
  const port = await claim(host, 0)
  if (port === null) throw new Error(`no free port on ${host}`)
  return port
}

/** A free port whose next one is free too. */
export async function freePortPair(host: string): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = await freePort(host)
    if (port < 65_535 && (await claim(host, port + 1)) !== null) return port
  }
  throw new Error(`no two free ports in a row on ${host}`)
}
