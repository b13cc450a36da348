// A message between tenants as its row in the outbox of its sender.
import { CorruptRow } from './errors.ts'
import type { RowPage } from './disk.ts'
import { lastPart, outboxSender } from './keys.ts'
import { decode } from './rows.ts'

export interface SentMessage {
  readonly sender: string
  /** Number of the message among those of its sender. */
  readonly sequence: number
  readonly row: unknown
  /** Why the row cannot be read: `row` is absent. One damaged row must not hide the messages of other senders. */
  readonly damage?: Error
}

export function sentMessage([key, text]: RowPage[number]): SentMessage {
  const place = { sender: outboxSender(key), sequence: Number(lastPart(key)) }
  try {
    return { ...place, row: decode(key, text) }
  } catch (error) {
    if (!(error instanceof CorruptRow)) throw error
    return { ...place, row: undefined, damage: error }
  }
}
