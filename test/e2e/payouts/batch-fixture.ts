// Creates, follows and checks batches in tests.
import { expect } from 'vitest'
import type { Client } from '../client.ts'
import { eventually } from '../harness.ts'
import type { Ids } from '../models.ts'

export const BATCHES = '/batches'

export interface Batch {
  readonly offchainId: string
  readonly operation: string
  readonly status: string
  readonly externalReference: string | null
  readonly itemsCount: number
  readonly waitingCount: number
  readonly underWayCount: number
  readonly doneCount: number
  readonly failedCount: number
  readonly cancelledCount: number
  readonly approval?: { readonly required: number; readonly given: number }
  readonly endedAt: string | null
}

export interface Item {
  readonly offchainId: string
  readonly index: number
  readonly status: string
  readonly itemData: object
  readonly externalReference: string | null
  readonly chainTransaction: {
    readonly offchainId: string
    readonly onchainId: string | null
    readonly status: string
  } | null
  readonly newAccount?: Ids
  readonly newPosition?: Ids
  readonly errorCode?: string
  readonly cancelledBecause?: string
}

export interface Estimate {
  readonly dryRun: {
    readonly itemsCount: number
    readonly transactionsCount: number
    readonly feeLamports: number
    readonly rentLamports: number
    readonly limits: readonly { readonly verdict: string; readonly debit: number }[]
  }
}

export class BatchFixture {
  readonly #api: Client

  constructor(api: Client) {
    this.#api = api
  }

  async create(
    operation: string,
    items: readonly object[],
    more: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { newBatch } = await this.#api.ok<{ newBatch: { offchainId: string } }>(
      201,
      'POST',
      BATCHES,
      { operation, items, ...more },
      { headers },
    )
    return newBatch.offchainId
  }

  single(offchainId: string): Promise<Batch> {
    return this.#api.read(`${BATCHES}/single`, { offchainId })
  }

  /** The items of one batch, in order. */
  async items(offchainId: string, filters: readonly object[] = []): Promise<readonly Item[]> {
    const own = { fieldName: 'batchOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] }
    const { items } = (await this.#api.bulk('/batches/items/bulk', { filter: [own, ...filters], limit: 1_000 })) as {
      items: readonly Item[]
    }
    return items
  }

  async waitForEnd(offchainId: string, status = 'DONE'): Promise<readonly Item[]> {
    await eventually(async () => {
      const batch = await this.single(offchainId)
      expect(batch.endedAt, JSON.stringify(batch)).not.toBeNull()
    })
    const items = await this.items(offchainId)
    expect(
      (await this.single(offchainId)).status,
      JSON.stringify(items.filter((item) => item.status !== 'DONE').slice(0, 3)),
    ).toBe(status)
    return items
  }

  cancel(offchainId: string): Promise<unknown> {
    return this.#api.ok(200, 'PATCH', `${BATCHES}/cancel`, { offchainId })
  }

  approve(offchainId: string, api: Client): Promise<unknown> {
    return api.ok(200, 'PATCH', `${BATCHES}/approve`, { offchainId })
  }

  retry(offchainId: string): Promise<unknown> {
    return this.#api.ok(200, 'PATCH', `${BATCHES}/retry`, { offchainId })
  }
}

export function transactionsOf(items: readonly Item[]): readonly string[] {
  return [...new Set(items.flatMap(({ chainTransaction }) => chainTransaction?.offchainId ?? []))]
}
