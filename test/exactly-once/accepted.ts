// Transfers that are durable and acknowledged, whatever the chain does meanwhile.
import { expect } from 'vitest'
import { isBusy } from '../crash/api.ts'
import { randomOf } from '../crash/random.ts'
import type { Service } from '../crash/service.ts'
import type { Setup } from '../crash/setup.ts'
import { anyTransfer, ask, type Transfer } from '../crash/transfer.ts'
import { until } from '../crash/until.ts'

/** `name` is part of their keys. A request to a service that cannot decide yet (it has no blockhash) is repeated. */
export async function sendAccepted(service: Service, setup: Setup, name: string, count: number): Promise<Transfer[]> {
  const random = randomOf(20_260_110)
  const transfers = Array.from({ length: count }, (_, index) => anyTransfer(setup, random, `${name} ${index}`))
  await Promise.all(
    transfers.map(async (transfer) => {
      const answer = await until(async () => {
        const reply = await ask(service, transfer, { prefer: 'respond-async' })
        return isBusy(reply) ? undefined : reply
      }, `${transfer.key} is accepted`)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    }),
  )
  return transfers
}
