// Requests for account details, in rotation. An answer counts if it is exactly the expected one.
import { countedUuid, postHead, type Target, type Traffic } from '../load/traffic.ts'

export interface DetailsSettings {
  readonly apiKey: string
  /** Offchain ids and the expected answers, latin1. */
  readonly accounts: readonly { readonly id: string; readonly answer: string }[]
}

const PATH = '/api/v1/accounts/single?chainClusterId=CHAIN_DEVNET'

export function traffic(target: Target, { apiKey, accounts }: DetailsSettings): Traffic {
  const body = (id: string): string => `{"itemData":{"offchainId":"${id}"}}`
  const head = postHead(target, PATH, body(accounts[0]!.id).length, {
    Authorization: `Bearer ${apiKey}`,
    'x-request-id': countedUuid('000000c3', 0),
  })
  const [beforeId, afterId] = head.split(countedUuid('000000c3', 0)) as [string, string]
  let sent = 0
  let answers = 0
  return {
    next() {
      const token = sent
      sent += 1
      return {
        text: beforeId + countedUuid('000000c3', token) + afterId + body(accounts[token % accounts.length]!.id),
        token,
      }
    },
    accept(token, reply) {
      answers += 1
      return reply.status === 200 && reply.body === accounts[token % accounts.length]!.answer
        ? null
        : `${reply.status} ${reply.body}`
    },
    tally: () => answers,
  }
}
