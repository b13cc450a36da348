// The states of every record that keep the engine open; `test/e2e/transactions/open-work.test.ts` tests the common ones
// over HTTP.
import { expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import { OpenWork } from '../../../src/operations/background/open-work.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'

interface Moment {
  readonly records?: readonly { readonly kind: string; readonly value: string; readonly context?: object }[]
  readonly outbox?: number
  readonly outOfBalance?: number
  readonly asked?: number
  readonly readsNonces?: boolean
}

function workOf({ records = [], outbox = 0, outOfBalance = 0, asked = 0, readsNonces = false }: Moment): OpenWork {
  const engine = {
    onCommitted: () => undefined,
    outbox: { waiting: outbox },
    outOfBalance: { size: outOfBalance },
    pacer: () => ({ isDue: true, rest: () => Promise.resolve() }),
    directory: { entries: () => records.map((record) => ({ head: { context: {}, ...record } })) },
  } as unknown as Engine
  const upkeep = { feedRefreshers: [], maintainers: [{ isReading: readsNonces }], signingQueue: { waiting: asked } }
  return new OpenWork({ engine } as Platform, upkeep)
}

const one = (kind: string, value: string, context: object = {}): Moment => ({ records: [{ kind, value, context }] })

it.each<[string, Moment]>([
  ['a sent transaction', one('transaction', 'submitted')],
  ['a transaction that a fork may drop', one('transaction', 'confirmed')],
  ['a countersignature', one('countersignature', 'given')],
  ['a countersignature that has landed', one('countersignature', 'landed')],
  ['a plan', one('plan', 'running')],
  ['a batch', one('batch', 'underWay', { sweep: null })],
  ['a batch that is being retried or cancelled', one('batch', 'failed', { sweep: {} })],
  ['an item of a batch', one('batchItem', 'underWay')],
  ['an occurrence', one('occurrence', 'underWay')],
  ['a distribution', one('distribution', 'paying', { recordAt: '2026-01-01T00:00:00Z' })],
  ['a message', { outbox: 1 }],
  ['a balance that is wrong', { outOfBalance: 1 }],
  ['a question to a remote signer', { asked: 1 }],
  ['a nonce', { readsNonces: true }],
])('%s does', async (_what, moment) => {
  expect((await workOf(moment).find()).holds).toEqual(expect.any(String))
})

it.each<[string, Moment]>([
  ['a transaction', one('transaction', 'finalized')],
  ['a countersignature', one('countersignature', 'settled')],
  ['a plan', one('plan', 'finished')],
  ['a batch', one('batch', 'done', { sweep: null })],
  ['an occurrence', one('occurrence', 'missed')],
  ['a distribution', one('distribution', 'cancelled', { recordAt: '2026-01-01T00:00:00Z' })],
  ['a schedule that is paused', one('schedule', 'paused', { next: { at: '2026-01-01T00:00:00Z' } })],
  ['a webhook', one('webhook', 'disabled')],
  ['an account', one('account', 'active')],
])('%s that is over does not', async (_what, moment) => {
  expect(await workOf(moment).find()).toEqual({ holds: null, dueAt: null })
})
