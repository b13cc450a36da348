// The methods of a websocket connection: `...Subscribe` returns an id, `...Unsubscribe` ends that subscription.

import type { Commitment } from '../../contract.ts'
import { encodeBase58 } from '../../base58.ts'
import { commitmentOf } from '../context.ts'
import { accountFormOf } from '../encode/account.ts'
import { invalidParams } from '../error.ts'
import { filtersOf } from '../filters.ts'
import type { Method } from '../method.ts'
import {
  addressOf,
  arrayOf,
  booleanOf,
  configAt,
  countOf,
  isRecord,
  requireCount,
  signatureOf,
  wrongType,
} from '../params.ts'
import type { Params } from '../params.ts'
import type { Topic } from './hub.ts'

/** The subscriptions of one connection. */
export interface Session {
  subscribe(topic: Topic, notification: string, commitment: Commitment): number
  unsubscribe(id: number): boolean
}

interface Wanted {
  readonly topic: Topic
  readonly commitment: Commitment
}

const KINDS: Readonly<Record<string, (params: Params) => Wanted>> = {
  account: (params) => {
    requireCount(params, 1)
    const address = encodeBase58(addressOf(params[0]))
    const config = configAt(params, 1)
    return {
      topic: { kind: 'account', address, form: accountFormOf(config, 'binary') },
      commitment: commitmentOf(config['commitment']),
    }
  },
  program: (params) => {
    requireCount(params, 1)
    const program = encodeBase58(addressOf(params[0]))
    const config = configAt(params, 1)
    const topic: Topic = {
      kind: 'program',
      program,
      form: accountFormOf(config, 'binary'),
      filters: filtersOf(config['filters']),
    }
    return { topic, commitment: commitmentOf(config['commitment']) }
  },
  signature: (params) => {
    requireCount(params, 1)
    const signature = signatureOf(params[0])
    const config = configAt(params, 1)
    const receivedToo = booleanOf(config['enableReceivedNotification'], false)
    return { topic: { kind: 'signature', signature, receivedToo }, commitment: commitmentOf(config['commitment']) }
  },
  logs: (params) => {
    requireCount(params, 1)
    const mentions = mentionsOf(params[0])
    return { topic: { kind: 'logs', mentions }, commitment: commitmentOf(configAt(params, 1)['commitment']) }
  },
  slot: () => ({ topic: { kind: 'slot' }, commitment: 'processed' }),
  slotsUpdates: () => ({ topic: { kind: 'slotsUpdates' }, commitment: 'processed' }),
  root: () => ({ topic: { kind: 'root' }, commitment: 'processed' }),
}

function mentionsOf(filter: unknown): string | null {
  if (filter === 'all' || filter === 'allWithVotes') return null
  if (!isRecord(filter)) throw wrongType(filter, 'enum RpcTransactionLogsFilter')
  const addresses = arrayOf(filter['mentions'])
  if (addresses.length !== 1) throw invalidParams('Invalid Request: Only 1 address supported')
  return encodeBase58(addressOf(addresses[0]))
}

/** Method by name for one connection. */
export function socketMethods(session: Session): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>()
  for (const [kind, read] of Object.entries(KINDS)) {
    methods.set(`${kind}Subscribe`, (params) => {
      const { topic, commitment } = read(params)
      return session.subscribe(topic, `${kind}Notification`, commitment)
    })
    methods.set(`${kind}Unsubscribe`, (params) => {
      requireCount(params, 1)
      if (!session.unsubscribe(countOf(params[0]))) throw invalidParams('Invalid subscription id.')
      return true
    })
  }
  return methods
}
