// A tenant message is deleted from the outbox of its sender only after its recipient has applied it, for any number of
// failures.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import type { NumberedMessage } from '../../../src/engine/outbox/message.ts'
import { Outbox } from '../../../src/engine/outbox/outbox.ts'

/** `lacking`: the recipient must read rows that are fetched first. */
type Fate = 'taken' | 'refused' | 'lacking'
const NOTICE = { kind: 'order', record: 'r', of: 'account', event: { type: 'command.update' } } as const

/** An outbox whose recipients, here or in another process, accept what the test lets them accept. */
class Scene {
  readonly taken: number[] = []
  readonly cleared: number[] = []
  readonly failed: number[] = []
  readonly post: Outbox
  #fates: Fate[] = []

  constructor(isElsewhere: boolean) {
    const attempt = (message: NumberedMessage): void => {
      const fate = this.#fates.shift()
      if (fate === 'refused') throw new Error('not now')
      if (fate === 'lacking') throw new NotAtHand([{ read: 'old', id: 'r' }])
      this.taken.push(message.sequence)
    }
    this.post = new Outbox({
      store: { outbox: () => Promise.resolve([]), inbox: () => 0, meta: () => undefined },
      take: (message) => {
        attempt(message)
        return Promise.resolve()
      },
      write: (_, ops) => {
        for (const op of ops) if (op.type === 'outbox' && op.row === null) this.cleared.push(op.sequence)
        return Promise.resolve()
      },
      remoteDelivery: isElsewhere
        ? {
            owns: () => false,
            deliver: (messages) =>
              new Promise((resolve) => {
                // A recipient remembers the messages that it has applied.
                for (const message of messages) if (!this.taken.includes(message.sequence)) attempt(message)
                resolve()
              }),
          }
        : undefined,
      rows: { fetch: () => Promise.resolve() },
      failed: ({ sequence }) => void this.failed.push(sequence),
    })
  }

  /** Sends two messages, then retries until nothing waits. */
  async play(fates: readonly Fate[]): Promise<void> {
    this.#fates = [...fates]
    const messages = this.post.write(
      'ACME',
      [1, 2].map(() => ({ to: 'BANK', notices: [NOTICE] })),
      () => undefined,
    )
    void this.post.send(messages)
    for (let round = 0; round <= fates.length; round += 1) {
      await new Promise(setImmediate)
      expect(this.cleared.every((sequence) => this.taken.includes(sequence))).toBe(true)
      expect(this.post.waiting).toBe(2 - this.cleared.length)
      this.post.deliver()
    }
    await new Promise(setImmediate)
  }
}

describe.each([false, true])('a message to a tenant of another process: %s', (isElsewhere) => {
  it('is deleted once it is applied, and never before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<Fate>('refused', 'lacking', 'refused', 'taken'), { maxLength: 6 }),
        async (fates) => {
          const scene = new Scene(isElsewhere)
          await scene.play(fates)
          expect(scene.taken).toEqual([1, 2])
          expect(scene.cleared).toEqual([1, 2])
          if (!isElsewhere && !fates.includes('refused')) expect(scene.failed).toEqual([])
        },
      ),
    )
  })
})
