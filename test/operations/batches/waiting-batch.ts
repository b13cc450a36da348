// A tenant with a payer and a payee, and batches under way whose items wait and were not checked.
import type { BatchContext, BatchOperation } from '../../../machines/batch.ts'
import type { BatchItemContext } from '../../../machines/batch-item.ts'
import type { Entry } from '../../../src/engine/records/entry.ts'
import { itemsOf } from '../../../src/operations/batches/record.ts'
import type { JsonObject } from '../../../src/contract/call.ts'
import { apiKey, AT, plan } from '../../machines/records.ts'
import { CLUSTER, TenantsFixture, type Wallet } from '../tenants-fixture.ts'

const TENANT = 'ACME'
const KEY = 'key1'
export const SOL = 1_000_000_000n
export const BATCH = 'batch'

export class WaitingBatches {
  readonly fixture: TenantsFixture
  readonly source: Wallet
  readonly target: Wallet

  private constructor(fixture: TenantsFixture, source: Wallet, target: Wallet) {
    this.fixture = fixture
    this.source = source
    this.target = target
  }

  static async open(): Promise<WaitingBatches> {
    const fixture = await TenantsFixture.open()
    await fixture.organization(TENANT)
    const source = await fixture.wallet(TENANT, { canPayFees: true, networkCurrencyDebitLimits: [] }, 2n * SOL)
    return new WaitingBatches(fixture, source, await fixture.wallet(TENANT, {}, SOL))
  }

  payment(lamports = '1000', more: JsonObject = {}): JsonObject {
    const [source, destination] = [this.source, this.target].map(({ onchainId }) => ({ onchainId }))
    return { source: source!, destination: destination!, lamports, ...more }
  }

  /** A batch with these items, under the id `BATCH`; its items are `item 0`, `item 1` and so on. */
  async create(
    operation: BatchOperation,
    items: readonly JsonObject[],
    more: Partial<BatchContext> = {},
  ): Promise<Entry> {
    const placeOf = (id: string) => ({ tenant: TENANT, cluster: CLUSTER, id })
    const batch: BatchContext = {
      ...{ organization: TENANT, endpoint: 'POST /api/v1/batches', requestId: 'r', externalReference: null },
      ...{ requester: { ...plan.requester, keyId: KEY }, operation, config: null, stopOnFailure: false },
      ...{ items: items.length, counts: { waiting: items.length, underWay: 0, done: 0, failed: 0, cancelled: 0 } },
      ...{ sweep: null, approval: null, createdAt: AT, endedAt: null },
      ...more,
    }
    const item: Omit<BatchItemContext, 'index' | 'data'> = {
      ...{ batchId: BATCH, organization: TENANT, externalReference: null },
      ...{ transactionId: null, members: null, problem: null, cancelledBecause: null, earlier: [], endedAt: null },
    }
    const { result, durable } = this.fixture.engine.transact((unit) => {
      const entry = unit.create('batch', placeOf(BATCH), { batch })
      for (const [index, data] of items.entries())
        unit.create('batchItem', placeOf(`item ${index}`), { item: { ...item, index, data } })
      unit.send<'batch'>(entry, { type: 'command.start', approval: null, at: AT })
      return entry
    })
    await durable
    return result
  }

  /** The key that requested the batches expires. */
  async expireKey(): Promise<void> {
    const context = { ...apiKey, keyId: KEY, organization: TENANT, expiresAt: AT }
    const { durable } = this.fixture.engine.transact((unit) =>
      unit.create('apiKey', { tenant: TENANT, cluster: '*', id: KEY }, { apiKey: context }),
    )
    await durable
  }

  /** States of the items, in order. */
  states(): string[] {
    return itemsOf(this.fixture.platform, BATCH).map(({ item }) => item.value)
  }
}
