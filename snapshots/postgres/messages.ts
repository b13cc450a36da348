// Reads messages between the cells of one database: the outbox rows that are not deleted yet, and the last message that
// each recipient has processed. Each cell writes only its own rows.
import { inboxKey, MESSAGES } from '../keys.ts'
import { decode } from '../rows.ts'
import { sentMessage, type SentMessage } from '../sent-message.ts'
import type { Database } from './database.ts'
import { manyRowsOf } from './rows-by-key.ts'
import { pagesOf } from './range-reads.ts'

export interface MessagePair {
  readonly to: string
  readonly sender: string
}

/** The outbox rows of all tenants from one snapshot, by sender and then by number. */
export async function* readUndelivered(database: Database): AsyncGenerator<readonly SentMessage[], void, undefined> {
  for await (const page of pagesOf(database, MESSAGES)) yield page.map(sentMessage)
}

/** The first messages of `readUndelivered`, at most `most`. */
export async function firstUndelivered(database: Database, most: number): Promise<readonly SentMessage[]> {
  const messages: SentMessage[] = []
  for await (const page of pagesOf(database, MESSAGES, { limit: most })) messages.push(...page.map(sentMessage))
  return messages
}

/** Number of the last message that each recipient has processed, in the order of `pairs`; 0: none. */
export async function readInboxNumbers(database: Database, pairs: readonly MessagePair[]): Promise<readonly number[]> {
  const keys = pairs.map(({ to, sender }) => inboxKey(to, sender))
  const texts = await manyRowsOf(database, keys)
  return texts.map((text, at) => (text === undefined ? 0 : Number(decode(keys[at]!, text))))
}
