// Owners in other cells that have signed a transaction which was not sent yet. Like an owner in this cell, each of them
// can still stop it: by a freeze, or by its rules for destinations.
import type { RecordState } from '../../../engine/records/record.ts'
import type { Platform } from '../../context/platform.ts'
import { questionAbout } from '../countersign/question.ts'
import type { KnownAccounts } from '../known-accounts.ts'
import { storedSignatures } from './held.ts'

/** Throws `Needs` so that these owners are asked first, and the Refusal of an owner. */
export function checkOwnersElsewhere(
  { engine }: Platform,
  transaction: RecordState<'transaction'>,
  chain: Pick<KnownAccounts, 'sendable'>,
): void {
  const { countersigners = [], fixed } = transaction.context
  const owners = new Set(countersigners.flatMap(({ tenant }) => (engine.owns(tenant) ? [] : [tenant])))
  if (owners.size === 0) return
  const { asked = [] } = engine.payload(transaction)
  const held = storedSignatures(engine, transaction)
  const hasSigned = (address: string): boolean =>
    fixed.signers.some((signer, index) => signer.address === address && held[index] !== null)
  for (const owner of owners) {
    const given = asked.filter(({ tenant, address }) => tenant === owner && hasSigned(address))
    const by = given[0]?.by
    if (by === undefined) continue
    chain.sendable(questionAbout(transaction, by, { owner, addresses: given.map(({ address }) => address) }))
  }
}
