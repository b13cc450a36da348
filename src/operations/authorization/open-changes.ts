// What signed messages that have not landed change about an account: they may land first. An account that one of them
// closes gives its lamports to the destination of the closing, and then belongs to the key of its address.
import type { Effect } from '../../solana/table/effect.ts'
import { changingKey } from '../../engine/index/index-keys.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding } from '../../engine/records/record.ts'
import { openMessages, type OpenMessage } from '../lookup/open-messages.ts'
import { ownMessages } from '../lookup/own-messages.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import { shapesFromEffect, type Shape } from './account-shape.ts'

export interface OpenChange {
  /** Destinations of the closings of the account; null: the message is not available here. */
  readonly closedTo: readonly (string | null)[]
  readonly shapes: readonly Shape[]
}

interface Place {
  readonly directory: RecordIndex
  readonly tenant: string
  readonly cluster: string
}

/**
 * The changes by messages of the tenant, or with its signature; nearly always none.
 *
 * @param records ids of the tenant's records of the address
 */
export function openChanges(
  { directory, tenant }: Pick<Place, 'directory' | 'tenant'>,
  records: readonly string[],
  address: string,
): readonly OpenChange[] {
  return records.flatMap((id) => {
    if (directory.first(changingKey(id)) === undefined) return []
    return openMessages(directory, ownMessages(directory, { id, tenant }, changingKey)).map((message) =>
      changeOf(message, address),
    )
  })
}

function changeOf({ effects }: OpenMessage, address: string): OpenChange {
  if (effects === null) return { closedTo: [null], shapes: [] }
  return {
    closedTo: effects.flatMap((effect) => closedTo(effect, address)),
    shapes: effects.flatMap((effect) => [...shapesFromEffect(effect, address), ...givenUp(effect, address)]),
  }
}

function closedTo(effect: Effect, address: string): string[] {
  if (effect.kind === 'close') return effect.account === address ? [effect.destination] : []
  const recipient = effect.kind === 'table' && effect.action === 'close' ? effect.recipient : null
  return recipient !== null && effect.kind === 'table' && effect.table === address ? [recipient] : []
}

/** Without a mint authority, the key of a mint withdraws what exceeds its rent. */
function givenUp(effect: Effect, address: string): Shape[] {
  const isGivenUp = effect.kind === 'authority' && effect.which === 'MINT_TOKENS' && effect.next === null
  return isGivenUp && effect.account === address ? [{ kind: 'MINT', authorities: { key: address } }] : []
}

/** True if a signed message that has not landed pays into the account. */
export function isPaidInto({ directory, tenant, cluster }: Place, address: string): boolean {
  return ownRecordsAt(directory, tenant, cluster, address)
    .filter(({ head }) => isHolding(head))
    .some(({ head }) =>
      openMessages(directory, ownMessages(directory, head)).some((message) => pays(message, head.id, address)),
    )
}

function pays({ effects, entries }: OpenMessage, record: string, address: string): boolean {
  if (effects === null) return entries.some((entry) => entry.record === record && entry.movements.some(isCredit))
  return effects.some((effect) => {
    if (effect.kind === 'tokens') return effect.to === address && effect.from !== address
    return (effect.kind === 'lamports' || effect.kind === 'mint') && effect.to === address
  })
}

function isCredit({ credited }: { readonly credited: string }): boolean {
  return credited !== '0'
}
