// What the cells of one database read of each other's messages: rows of outboxes that are not cleared yet, and how far
// recipients have taken them. Each cell writes its own rows only.
import { inboxKey, lastPart, MESSAGES, outboxSender } from '../keys.ts'
import { decode } from '../rows.ts'
import type { Page } from '../disk.ts'
import type { Database } from './database.ts'
import { manyRowsOf } from './rows-by-key.ts'
import { pagesOf } from './range-reads.ts'

export interface SentMessage {
  readonly sender: string
  readonly sequence: number
  readonly row: unknown
}

export interface MessagePair {
  readonly to: string
  readonly sender: string
}

/** Of all tenants, by sender and then by number, as of one moment. */
export async function* undelivered(database: Database): AsyncGenerator<readonly SentMessage[], void, undefined> {
  for await (const page of pagesOf(database, MESSAGES)) yield page.map(messageOf)
}

/** The first messages of `undelivered`; all, if they are less than `most`. */
export async function firstUndelivered(database: Database, most: number): Promise<readonly SentMessage[]> {
  const messages: SentMessage[] = []
  for await (const page of pagesOf(database, MESSAGES, { limit: most })) messages.push(...page.map(messageOf))
  return messages
}

function messageOf([key, text]: Page[number]): SentMessage {
  return { sender: outboxSender(key), sequence: Number(lastPart(key)), row: decode(key, text) }
}

/** Number of the last message that each recipient has taken from the sender, in the order of the request; 0: none. */
export async function takenBy(database: Database, pairs: readonly MessagePair[]): Promise<readonly number[]> {
  const wanted = pairs.map(({ to, sender }) => inboxKey(to, sender))
  const texts = await manyRowsOf(database, wanted)
  return texts.map((text, at) => (text === undefined ? 0 : Number(decode(wanted[at]!, text))))
}
