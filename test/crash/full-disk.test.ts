// The disk of the store fills up under load, by a limit on the size of files: the service exits with 74 at the first
// failed write; with space again it starts, and no acknowledged change is missing. The chain is another process without
// the limit.
import { describe, expect, it } from 'vitest'
import { expectDiskAtRest, expectOnceEach, signaturesSoFar } from './audit.ts'
import { startOutsideChain } from './chain.ts'
import { randomOf } from './random.ts'
import { newDataDir, startService } from './service.ts'
import { settle } from './setup.ts'
import { anyTransfer, ask, insistAll, transactionOf, findUnsure, type Transfer } from './transfer.ts'

describe('a full disk', () => {
  it('ends the service with 74 under load, and loses nothing acknowledged', async () => {
    const random = randomOf(20_260_105)
    const chain = await startOutsideChain()
    const dataDir = newDataDir()
    const options = { dataDir, settings: chain.settings }
    let service = await startService({ ...options, fileKilobytes: 1_000 }, chain.rpcUrl)
    const setup = await settle(service)
    const before = await signaturesSoFar(service, setup)
    const transfers: Transfer[] = []
    let hasEnded = false
    void service.program.ended.then(() => (hasEnded = true))
    const load = Array.from({ length: 30 }, async () => {
      while (!hasEnded) {
        const transfer = anyTransfer(setup, random, `transfer ${transfers.length}`)
        transfers.push(transfer)
        await ask(service, transfer).catch(() => undefined)
      }
    })
    expect(await service.program.ended).toBe(74)
    await Promise.all(load)
    const acknowledged = transfers.filter(({ answers }) => answers.some(({ status }) => status === 201))
    expect(acknowledged.length).toBeGreaterThan(20)
    const references = acknowledged.map(transactionOf)
    // Unacknowledged requests were not reported as refused either: their outcome was unknown.
    const statuses = transfers.flatMap(({ answers }) => answers.map(({ status }) => status))
    expect(statuses.filter((status) => status !== 201 && status < 500)).toEqual([])

    service = await startService(options, chain.rpcUrl)
    const replays = await Promise.all(acknowledged.map((transfer) => ask(service, transfer)))
    expect(replays.filter(({ replayed }) => !replayed)).toEqual([])
    expect(acknowledged.map(transactionOf)).toEqual(references)
    await insistAll(service, findUnsure(transfers))
    await expectOnceEach(service, setup, transfers, before)
    expect(await service.stop()).toBe(0)
    await expectDiskAtRest(dataDir, transfers)
  })
})
