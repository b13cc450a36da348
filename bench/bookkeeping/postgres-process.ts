// The writes of a transfer in a usual implementation: Koa, the body checked by zod, and one transaction of PostgreSQL
// for the idempotency key, the two balances, the transaction row and the event. No chain, no signatures.
import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { encodeBase58 } from '../../src/solana/base58.ts'
import { serveKoa } from '../http/koa-server.ts'
import { answerParent } from '../measure/child.ts'
import { PostgresPool, type Ask } from '../postgres/pool.ts'
import type { PostgresService } from '../postgres/server.ts'

const CONNECTIONS = 16

const position = z.strictObject({ position: z.strictObject({ offchainId: z.uuid() }) })
const schema = z.strictObject({
  itemData: z.strictObject({
    source: position,
    destination: position,
    lamports: z.int().min(1),
    idempotencyId: z.uuid(),
  }),
  chainTransactionConfig: z.strictObject({ feePayer: z.strictObject({ offchainId: z.uuid() }) }),
})

answerParent(async ({ host, socket, user }: PostgresService): Promise<number> => {
  const pool = await PostgresPool.open(socket, user, CONNECTIONS)
  return await serveKoa(host, async (body) => {
    const { itemData } = schema.parse(body)
    const id = randomUUID()
    const signature = encodeBase58(randomBytes(64))
    await pool.transaction(async (ask) => {
      const first = await ask(
        'INSERT INTO idempotency (key, transaction) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING key',
        [itemData.idempotencyId, id],
      )
      if (first.length === 0) throw new Error('asked before')
      const [source, destination, amount] = [
        itemData.source.position.offchainId,
        itemData.destination.position.offchainId,
        itemData.lamports,
      ]
      // In the order of their ids, so that two transfers do not deadlock.
      const moves = [
        { id: source, by: -amount },
        { id: destination, by: amount },
      ].sort((one, other) => (one.id < other.id ? -1 : 1))
      for (const move of moves) await changeBalance(ask, move)
      await ask(
        "INSERT INTO transactions (id, signature, source, destination, amount, status) VALUES ($1, $2, $3, $4, $5, 'CONFIRMED')",
        [id, signature, source, destination, String(amount)],
      )
      await ask("INSERT INTO events (type, resource) VALUES ('transaction.confirmed', $1)", [id])
    })
    return {
      status: 201,
      text: JSON.stringify({ onchainId: signature, offchainId: id, success: true, status: 'CONFIRMED' }),
    }
  })
})

async function changeBalance(ask: Ask, { id, by }: { readonly id: string; readonly by: number }): Promise<void> {
  const changed = await ask(
    'UPDATE positions SET balance = balance + $1 WHERE id = $2 AND balance + $1 >= 0 RETURNING balance',
    [String(by), id],
  )
  if (changed.length === 0) throw new Error('not enough, or no such position')
}
