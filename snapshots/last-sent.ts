// Finds the undelivered messages of a tenant.
import type { RowPage } from './disk.ts'
import { lastPart } from './keys.ts'
import { decode } from './rows.ts'

/** The last message from one tenant to another that is still in the outbox. */
export interface SentLast {
  readonly sender: string
  readonly to: string
  readonly sequence: number
}

/** @param outbox the rows of the sender's outbox, in key order */
export async function lastSent(
  outbox: AsyncIterable<RowPage>,
  sender: string,
  recipients: readonly string[],
): Promise<readonly SentLast[]> {
  const last = new Map<string, number>()
  for await (const page of outbox)
    for (const [key, text] of page) {
      const { to } = decode(key, text) as { readonly to: string }
      if (recipients.includes(to)) last.set(to, Number(lastPart(key)))
    }
  return [...last].map(([to, sequence]) => ({ sender, to, sequence }))
}
