// Creates accounts, each with its own references and request id. An answer counts if it names the created account.
import { countedUuid, postHead, type Target, type Traffic } from '../load/traffic.ts'

export interface AccountsSettings {
  readonly apiKey: string
  /** Prefix of the references, which distinguishes the accounts of several generators. 4 characters. */
  readonly prefix: string
}

export interface AccountsTally {
  readonly acknowledged: number
  /** Addresses of the last accounts, for the check. */
  readonly last: readonly string[]
}

const PATH = '/api/v1/accounts?chainClusterId=CHAIN_DEVNET'
const KEPT = 64
const MADE = /"newAccount":\{"onchainId":"([1-9A-HJ-NP-Za-km-z]{32,44})","offchainId":"[0-9a-f-]{36}"/

/** All bodies have the same length. */
export function accountBody(prefix: string, n: number): string {
  const number = String(n).padStart(9, '0')
  return (
    `{"itemData":{"managed":true,"comments":"an account of the bench","offchainReferences":{"type":"WALLET",` +
    `"code":"${prefix}-${number}","accountNumber":"DE${number}","name":"Customer ${number}"}}}`
  )
}

export function traffic(target: Target, { apiKey, prefix }: AccountsSettings): Traffic {
  const head = postHead(target, PATH, accountBody(prefix, 0).length, {
    Authorization: `Bearer ${apiKey}`,
    'x-request-id': countedUuid('000000d4', 0),
  })
  const [beforeId, afterId] = head.split(countedUuid('000000d4', 0)) as [string, string]
  const last: string[] = []
  let sent = 0
  let acknowledged = 0
  return {
    next() {
      const token = sent
      sent += 1
      return { text: beforeId + countedUuid('000000d4', token) + afterId + accountBody(prefix, token), token }
    },
    accept(_, { status, body }) {
      const address = MADE.exec(body)?.[1]
      if (status !== 201 || address === undefined) return `${status} ${body}`
      last[acknowledged % KEPT] = address
      acknowledged += 1
      return null
    },
    tally: (): AccountsTally => ({ acknowledged, last }),
  }
}
