// An attempt is repeated with whatever it lacked, requests each missing item once, and always ends.
import { beforeEach, describe, expect, it } from 'vitest'
import { FRESH_MS } from '../../../snapshots/at-hand.ts'
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import { DebitsNotRecalled } from '../../../src/engine/limits/debit-windows.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { hidingAbsence } from '../../../src/operations/authorization/limits/hidden-rules.ts'
import { mintOnChain } from '../../../src/operations/lookup/chain-mints.ts'
import { runAttempts } from '../../../src/operations/transactions/attempt.ts'
import { simulationOf } from '../../../src/operations/transactions/simulation.ts'

const CLUSTER = 'CHAIN_DEVNET'
const call = () => ({ cluster: CLUSTER, tenant: 'ACME' }) as Call
const rows = (id: string) => new NotAtHand([{ read: 'old', id }])

let gathered: string[]
let keptTimes: (number | undefined)[]
let elapsedMs: number
let simulation: string | null
let platform: Platform

beforeEach(() => {
  gathered = []
  keptTimes = []
  elapsedMs = 0
  simulation = null
  const cluster = {
    rehearses: true,
    accounts(addresses: readonly string[]) {
      gathered.push(`accounts ${addresses.join()}`)
      elapsedMs += 10_000
      return Promise.resolve(addresses.map(() => null))
    },
    simulate() {
      gathered.push('simulation')
      return Promise.resolve({ error: simulation, computeUnits: 0 })
    },
  }
  const engine = {
    elapsed: () => elapsedMs,
    fetch(keys: readonly { readonly id: string }[], keptMs?: number) {
      gathered.push(`rows ${keys.map(({ id }) => id).join()}`)
      keptTimes.push(keptMs)
      return Promise.resolve()
    },
    directory: { firstOwn: () => undefined },
    debits: {
      recall({ key }: DebitsNotRecalled) {
        gathered.push(`debits ${key}`)
        return Promise.resolve()
      },
    },
  }
  platform = {
    engine,
    ids: () => 'id',
    clock: { now: () => 0 },
    clusters: new Map([[CLUSTER, cluster]]),
  } as unknown as Platform
})

/** Throws each of these once, in order. */
function lacking(...errors: readonly Error[]): () => void {
  const remaining = [...errors]
  return () => {
    const next = remaining.shift()
    if (next !== undefined) throw next
  }
}

describe('an attempt', () => {
  it('is repeated with the accounts, mints, debits and rows it needed', async () => {
    const own = call()
    const check = lacking(rows('a'), new DebitsNotRecalled('window', 5), rows('b'))
    const result = await runAttempts(platform, own, async ({ known }) => {
      known.all(['one', 'two'])
      mintOnChain(own, 'mint')
      check()
      return await Promise.resolve('done')
    })
    expect(result).toBe('done')
    expect(gathered).toEqual(['accounts one,two', 'accounts mint', 'rows a', 'debits window', 'rows a,b'])
  })

  it('is simulated once if rows are missing, and again if the message may have changed', async () => {
    const check = lacking(rows('a'), new DebitsNotRecalled('window', 5))
    await runAttempts(platform, call(), async ({ isSimulated: wasSimulated }) => {
      if (!wasSimulated) throw simulationOf(CLUSTER, new Uint8Array())
      check()
      await Promise.resolve()
    })
    expect(gathered).toEqual(['simulation', 'rows a', 'debits window', 'simulation'])
  })

  it('does not keep rows longer because it waited for the chain', async () => {
    const check = lacking(rows('a'), rows('b'))
    await runAttempts(platform, call(), async ({ known }) => {
      if (keptTimes.length > 0) known.get('one')
      check()
      await Promise.resolve()
    })
    expect(gathered).toEqual(['rows a', 'accounts one', 'rows a,b'])
    expect(keptTimes).toEqual([FRESH_MS, FRESH_MS])
  })

  it('is refused if its simulation fails', async () => {
    simulation = 'custom error 1'
    const attempt = runAttempts(platform, call(), () => Promise.reject(simulationOf(CLUSTER, new Uint8Array())))
    await expect(attempt).rejects.toMatchObject({ status: 400, problems: [{ code: 'SIMULATION_FAILED' }] })
  })

  it('reports missing rows to the outer attempt', async () => {
    const own = call()
    let inner = 0
    await runAttempts(platform, own, async ({ known: outer }) => {
      await runAttempts(platform, { ...own }, async ({ known }) => {
        inner += 1
        known.get('inner')
        outer.get('outer')
        mintOnChain(own, 'mint')
        await Promise.resolve()
      })
    })
    expect(gathered).toEqual(['accounts inner', 'accounts outer', 'accounts inner', 'accounts mint', 'accounts inner'])
    expect(inner).toBe(6)
  })

  it('ends if it always needs one more', async () => {
    let next = 0
    const account = runAttempts(platform, call(), async ({ known }) => {
      known.get(`account ${next++}`)
      await Promise.resolve()
    })
    await expect(account).rejects.toMatchObject({ problems: [{ code: 'TRANSFER_HOOK_UNAVAILABLE' }] })
    const own = call()
    const mint = runAttempts(platform, own, async () => {
      mintOnChain(own, `mint ${next++}`)
      await Promise.resolve()
    })
    await expect(mint).rejects.toThrow('missing: mint')
    const row = runAttempts(platform, call(), () => Promise.reject(rows(`row ${next++}`)))
    await expect(row).rejects.toThrow('rows are missing')
  })

  it('ends within the decision if its message always changes, so that the decision can hide the screening', async () => {
    let asked = 0
    const question = () => ({
      ...{ tenant: 'OTHER', cluster: CLUSTER, organization: 'OTHER', movements: [] },
      screening: { url: 'https://screening.test/', timeoutMs: 1_000, onUnavailable: 'REVIEW' } as const,
      intent: `message ${asked++}`,
    })
    const attempt = runAttempts(platform, call(), async ({ known }) => {
      hidingAbsence(() => known.screened(question()))
      await Promise.resolve()
    })
    const hidden = { code: 'SCREENING_UNAVAILABLE', message: 'another tenant cannot decide about the transaction now' }
    await expect(attempt).rejects.toMatchObject({ status: 503, problems: [hidden] })
  })
})
