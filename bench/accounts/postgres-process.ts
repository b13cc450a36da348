// Creating accounts in a usual implementation: Koa, the body checked by zod, a new key sealed under a master key, and
// one transaction of PostgreSQL for the account, the request id and the event, durable before the answer.
import { createCipheriv, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { encodeBase58 } from '../../src/solana/base58.ts'
import { answerParent } from '../measure/child.ts'
import { serveKoa } from '../http/koa-server.ts'
import { PostgresPool } from '../postgres/pool.ts'
import type { PostgresService } from '../postgres/server.ts'

const CONNECTIONS = 16
const MASTER_KEY = randomBytes(32)

const text = z.string().min(1).max(256)
const schema = z.strictObject({
  itemData: z.strictObject({
    managed: z.boolean().optional(),
    comments: text.optional(),
    offchainReferences: z.strictObject({ type: text, code: text, accountNumber: text, name: text }),
  }),
})

answerParent(async ({ host, socket, user }: PostgresService): Promise<number> => {
  const pool = await PostgresPool.open(socket, user, CONNECTIONS)
  return await serveKoa(host, async (body) => {
    const { itemData } = schema.parse(body)
    const { type, code, accountNumber, name } = itemData.offchainReferences
    const id = randomUUID()
    const key = newKey()
    await pool.transaction(async (ask) => {
      await ask(
        `INSERT INTO accounts (id, address, sealed_key, managed, status, type, code, account_number, name, comments)
          VALUES ($1, $2, $3, $4, 'ACTIVE', $5, $6, $7, $8, $9)`,
        [
          id,
          key.address,
          key.sealed,
          String(itemData.managed ?? true),
          type,
          code,
          accountNumber,
          name,
          itemData.comments ?? '',
        ],
      )
      await ask('INSERT INTO requests (id, answer) VALUES ($1, $2)', [randomUUID(), id])
      await ask("INSERT INTO events (type, resource) VALUES ('account.created', $1)", [id])
    })
    return { status: 201, text: JSON.stringify({ newAccount: { onchainId: key.address, offchainId: id } }) }
  })
})

function newKey(): { readonly address: string; readonly sealed: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', MASTER_KEY, iv)
  const sealed = Buffer.concat([
    iv,
    cipher.update(privateKey.export({ type: 'pkcs8', format: 'der' })),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  return {
    address: encodeBase58(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)),
    sealed: sealed.toString('base64'),
  }
}
