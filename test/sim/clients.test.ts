// Clients of a simulated world: none is forgotten, whatever becomes of the process that it asked.
import { describe, expect, it } from 'vitest'
import { Clients } from './clients.ts'
import type { Process, Surroundings } from './process.ts'
import { Tally } from './tally.ts'
import { Time, type Life } from './time.ts'

const ASKED = {
  ...{ kind: 'transfer', endpoint: 'POST /transfer', input: {}, waitMs: 0, write: undefined as never },
  organization: { tenant: 'ACME', name: 'ACME' },
}

/** A cell of a node that answers nothing. */
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
    // The node has opened the cell anew since; the request is still under way in the one before.
    serving[0] = silentCell(life)
    life.alive = false
    clients.died(life)
    serving[0] = silentCell({ name: 'node b', alive: true })
    while (time.elapsedMs < 30_000 && (await time.step()));
    expect(clients.requests[0]!.attempts).toBeGreaterThan(1)
  })
})
