// The process of the embedded chain is killed alone, under load: the service stays, starts it again, and sends the same
// bytes until every transfer is settled, once.
import { describe, expect, it } from 'vitest'
import { expectDiskAtRest, expectOnceEach, signaturesSoFar } from './audit.ts'
import { randomOf } from './random.ts'
import { newDataDir, startService } from './service.ts'
import { settle } from './setup.ts'
import { anyTransfer, burst, insistAll, pause, findUnsure, type Transfer } from './transfer.ts'
import { until } from './until.ts'

describe('the embedded chain is killed', () => {
  it('under two bursts; the service lives and every transfer takes effect exactly once', async () => {
    const random = randomOf(20_260_102)
    const dataDir = newDataDir()
    const service = await startService({ dataDir })
    const setup = await settle(service)
    const before = await signaturesSoFar(service, setup)
    const transfers: Transfer[] = []
    for (let round = 0; round < 2; round += 1) {
      const newTransfers = Array.from({ length: 150 }, (_, index) =>
        anyTransfer(setup, random, `round ${round}, ${index}`),
      )
      transfers.push(...newTransfers)
      const bursting = burst(service, newTransfers)
      await until(() => newTransfers.some(({ answers }) => answers.length > 0) || undefined, 'an answer')
      await pause(random(150))
      const { pid } = service.chain()
      await service.killChain()
      expect(service.chain().pid).not.toBe(pid)
      await bursting
      await insistAll(service, findUnsure(newTransfers))
    }
    await expectOnceEach(service, setup, transfers, before)
    expect(await service.stop()).toBe(0)
    await expectDiskAtRest(dataDir, transfers)
  })
})
