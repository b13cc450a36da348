// SIGTERM: accepted requests are answered, the process exits with 0, and the next start finds everything.
import { describe, expect, it } from 'vitest'
import { booksOf, expectDiskAtRest, expectOnceEach, signaturesSoFar } from './audit.ts'
import { randomOf } from './random.ts'
import { ALWAYS, setFaults } from '../chain-faults.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { settle } from './setup.ts'
import { anyTransfer, ask, burst, insistAll, findUnsure } from './transfer.ts'
import { until } from './until.ts'

async function isServing({ url }: Service): Promise<boolean> {
  return await fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

describe('a service that is stopped', () => {
  it('answers every open request, refuses new ones, and exits with 0', async () => {
    const random = randomOf(20_260_104)
    const dataDir = newDataDir()
    const settings = { EMBEDDED_FAULTS: 'on' }
    let service = await startService({ dataDir, settings })
    const setup = await settle(service)
    const before = await signaturesSoFar(service, setup)
    // The chain answers nothing, so that all requests are open when the signal arrives.
    await setFaults(service.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
    const underWay = Array.from({ length: 60 }, (_, index) => anyTransfer(setup, random, `under way ${index}`))
    const total = underWay.reduce((sum, { amount }) => sum + amount, 0n)
    const answers = Promise.allSettled(underWay.map((transfer) => ask(service, transfer)))
    await until(async () => {
      const books = await Promise.all(setup.positions.flat().map(({ onchainId }) => booksOf(service, onchainId)))
      return BigInt(books.reduce((sum, { reserved }) => sum + reserved, 0)) === total || undefined
    }, 'all of them are durable')
    const shutdown = service.stop()
    await until(async () => ((await isServing(service)) ? undefined : true), 'it turns requests away')
    await setFaults(service.rpcUrl, {})
    expect((await answers).filter(({ status }) => status === 'rejected')).toEqual([])
    expect(findUnsure(underWay)).toEqual([])
    expect(await shutdown).toBe(0)

    // In the middle of a burst: some requests are refused, none is lost.
    service = await startService({ dataDir, settings })
    const more = Array.from({ length: 200 }, (_, index) => anyTransfer(setup, random, `burst ${index}`))
    const bursting = burst(service, more)
    await until(() => more.filter(({ answers: given }) => given.length > 0).length > 20 || undefined, 'some answers')
    expect(await service.stop()).toBe(0)
    await bursting
    service = await startService({ dataDir, settings })
    await insistAll(service, findUnsure(more))
    await expectOnceEach(service, setup, [...underWay, ...more], before)
    expect(await service.stop()).toBe(0)
    await expectDiskAtRest(dataDir, [...underWay, ...more])
  })
})
