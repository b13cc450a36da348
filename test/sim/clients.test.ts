// Clients of a simulated world: none is forgotten, for any end of the process that received its request.
import { describe, expect, it } from 'vitest'
import { Clients } from './clients.ts'
import type { Process, Surroundings } from './process.ts'
import { Tally } from './audits/tally.ts'
import { Time, type Life } from './time.ts'

const ASKED = {
  ...{ kind: 'transfer', endpoint: 'POST /transfer', input: {}, waitMs: 0, write: undefined as never },
  organization: { tenant: 'ACME', name: 'ACME' },
}

/** A cell of a node that does not answer. */
function silentCell(life: Life): Process {
  return { service: {}, life, isClosed: false, serve: () => new Promise(() => undefined) } as unknown as Process
}

describe('clients of several nodes', () => {
  it('retry when a node ends that had handed over the cell serving their request', async () => {
    const time = new Time()
    const life: Life = { name: 'node a', alive: true }
    const serving = [silentCell(life)]
    const around = { seed: 'clients', time, tally: new Tally() } as unknown as Surroundings
    const clients = new Clients(around, () => serving[0] ?? null, 12_000)
    clients.faulty = false
    void clients.ask(ASKED)
    // The node has opened the cell again since; the request is still open in the former one.
    serving[0] = silentCell(life)
    life.alive = false
    clients.died(life)
    serving[0] = silentCell({ name: 'node b', alive: true })
    while (time.elapsedMs < 30_000 && (await time.step()));
    expect(clients.requests[0]!.attempts).toBeGreaterThan(1)
  })
})
