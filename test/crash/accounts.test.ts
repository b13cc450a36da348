// Bursts of new accounts and SIGKILL of the service, repeatedly on one data directory: every acknowledged account
// exists with its own key, no key is in two accounts, and a repeated request creates no second account.
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import { expect, it } from 'vitest'
import { isBusy, refOf, type Answer, type Ref } from './api.ts'
import { randomOf } from './random.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { pause } from './transfer.ts'
import { until } from './until.ts'

const ROUNDS = 3
/** Until a kill came before an answer: this process may be so late that all requests of a burst are answered. */
const MAX_ROUNDS = 30
/** More than the prepared keys: the stock is emptied, and filled again, in each round. */
const SIZE = 300
const SEED = 20_261_126
const PAGE = 200

interface Creation {
  readonly key: string
  ref: Ref | undefined
}

/** Throws when the answer is lost. */
async function createAccount(service: Service, { key }: Creation): Promise<Answer> {
  const offchainReferences = { type: 'WALLET', code: key }
  return await service.api.send('POST', '/accounts', { offchainReferences }, { headers: { 'idempotency-key': key } })
}

async function insist(service: Service, creation: Creation): Promise<void> {
  const answer = await until(async () => {
    const each = await createAccount(service, creation)
    return isBusy(each) ? undefined : each
  }, creation.key)
  expect([answer.status, creation.key]).toEqual([201, creation.key])
  const ref = refOf(answer.body, 'newAccount')
  if (creation.ref !== undefined) expect([ref, answer.replayed]).toEqual([creation.ref, true])
  creation.ref = ref
}

async function privateKeyOf({ api }: Service, { onchainId }: Ref): Promise<string> {
  const { privateKeyDetails } = await api.get('/accounts/single/private-key', { onchainId })
  return (privateKeyDetails as { readonly privateKey: string }).privateKey
}

it(`every account of ${ROUNDS} bursts of ${SIZE} has its own key after kill -9`, async () => {
  const random = randomOf(SEED)
  const dataDir = newDataDir()
  const creations: Creation[] = []
  let lostCount = 0
  let service = await startService({ dataDir })
  for (let round = 0; round < ROUNDS || (lostCount === 0 && round < MAX_ROUNDS); round += 1) {
    const burst = Array.from({ length: SIZE }, (_, at): Creation => ({ key: `${round}-${at}`, ref: undefined }))
    creations.push(...burst)
    const sending = Promise.allSettled(
      burst.map(async (creation) => {
        const answer = await createAccount(service, creation)
        if (answer.status === 201) creation.ref = refOf(answer.body, 'newAccount')
      }),
    )
    await until(() => burst.some(({ ref }) => ref !== undefined) || undefined, 'an answer')
    await pause(random(120))
    await service.kill()
    await sending
    lostCount += burst.filter(({ ref }) => ref === undefined).length
    service = await startService({ dataDir })
    for (let at = 0; at < burst.length; at += PAGE)
      await Promise.all(burst.slice(at, at + PAGE).map((creation) => insist(service, creation)))
  }
  expect(lostCount, 'answers that were lost').toBeGreaterThan(0)
  expect(lostCount, 'answers that came').toBeLessThan(creations.length)
  const addresses = creations.map(({ ref }) => ref!.onchainId)
  expect(new Set(addresses).size).toBe(creations.length)
  const filter = [{ fieldName: 'code', filterValues: [{ filterType: 'CONTAINS', valueString: '-' }] }]
  const page = await service.api.query('/accounts/bulk/detailed', { itemQuery: { limit: 1, filter } })
  expect(page['count']).toBe(creations.length)
  // The service holds none of these keys in memory: it decrypts the rows.
  expect(await service.stop()).toBe(0)
  service = await startService({ dataDir })
  for (const [at, { ref }] of creations.entries()) {
    if (at % 4 !== 0) continue
    const pair = Keypair.fromSecretKey(bs58.decode(await privateKeyOf(service, ref!)))
    expect(pair.publicKey.toBase58()).toBe(ref!.onchainId)
  }
  expect(await service.stop()).toBe(0)
})
