// A burst of 200 transfers and SIGKILL of the service at a random instant, repeatedly on one data directory: after each
// restart and retry every transfer took effect exactly once.
import { describe, expect, it } from 'vitest'
import { expectDiskAtRest, expectOnceEach, signaturesSoFar } from './audit.ts'
import { randomOf } from './random.ts'
import { run } from './process.ts'
import { newDataDir, startService } from './service.ts'
import { newAccounts, settle } from './setup.ts'
import { until } from './until.ts'
import {
  anyTransfer,
  ask,
  burst,
  isDone,
  insistAll,
  pause,
  shuffle,
  transactionOf,
  findUnsure,
  welcomes,
  type Transfer,
} from './transfer.ts'

const ROUNDS = 5
/** Until a kill came between a write and its answer, which no instant guarantees on a busy machine. */
const MAX_ROUNDS = 25
const SIZE = 200
const SEED = 20_260_101

describe('the service is killed', () => {
  it(`in ${ROUNDS} bursts of ${SIZE} transfers, each of which takes effect exactly once`, async () => {
    const random = randomOf(SEED)
    const dataDir = newDataDir()
    let service = await startService({ dataDir })
    const setup = await settle(service)
    const before = await signaturesSoFar(service, setup)
    const transfers: Transfer[] = []
    let durable = 0
    for (let round = 0; round < ROUNDS || (durable === 0 && round < MAX_ROUNDS); round += 1) {
      const welcoming = welcomes(setup, random, await newAccounts(service, 4), `round ${round}, welcome`)
      const others = Array.from({ length: SIZE - welcoming.length }, (_, index) =>
        anyTransfer(setup, random, `round ${round}, ${index}`),
      )
      const newTransfers = shuffle([...welcoming, ...others], random)
      transfers.push(...newTransfers)
      const bursting = burst(service, newTransfers)
      // From the start of the burst, or from the first answer: then the others are at every stage between arrival and
      // settlement.
      if (round % 3 !== 0)
        await until(() => newTransfers.some(({ answers }) => answers.length > 0) || undefined, 'an answer')
      await pause(round % 3 === 0 ? 5 + random(396) : random(100))
      if (round % 2 === 0) await service.kill()
      else await service.killBoth()
      await bursting
      const unsureTransfers = findUnsure(newTransfers)
      const answeredTransfers = newTransfers.filter((transfer) => !unsureTransfers.includes(transfer))

      service = await startService({ dataDir })
      if (round === 4) {
        // Again during the recovery, and once before it serves.
        await pause(random(150))
        await service.kill()
        const starting = run({ dataDir })
        await pause(500 + random(1_000))
        starting.signal('SIGKILL')
        await starting.ended
        service = await startService({ dataDir })
      }
      await insistAll(service, unsureTransfers)
      durable += unsureTransfers.filter(
        (transfer) => transfer.answers.find((answer) => isDone(transfer, answer))?.replayed === true,
      ).length
      // Requests answered before the kill get the same answer after it.
      for (const transfer of answeredTransfers.slice(0, 5))
        expect(await ask(service, transfer)).toMatchObject({ status: 201, replayed: true })
      newTransfers.forEach(transactionOf)
    }
    expect(durable, 'transfers that were durable when their answer was lost').toBeGreaterThan(0)
    await expectOnceEach(service, setup, transfers, before)
    expect(await service.stop()).toBe(0)
    await expectDiskAtRest(dataDir, transfers)
  })
})
