// Programs that an organization allows beside the instruction table may do anything with what is signed for them, so nothing of it could be
// counted: a signer with any debit limit never signs for those (completion 4).
import type { Effect } from '../../chain/table/effect.ts'
import { ownerKey } from '../../engine/index-keys.ts'
import type { HoldingState } from '../../engine/record.ts'
import type { Platform } from '../platform.ts'
import { forbidden } from '../refusal.ts'
import { isLimited } from './assess.ts'

/** Throws 403 `INSTRUCTION_NOT_ALLOWED`. */
export function checkPrograms({ engine }: Platform, signer: HoldingState, effects: readonly Effect[]): void {
  const beyond = effects.find(({ kind }) => kind === 'refused')
  if (beyond === undefined) return
  const { tenant, cluster, context } = signer
  const positions = engine.directory.find(ownerKey(tenant, cluster, context.address))
  if (!isLimited(positions, signer)) return
  const rule = `${context.address} has debit limits and signs for no program beside the instruction table`
  throw forbidden('INSTRUCTION_NOT_ALLOWED', `instruction ${beyond.index} (${beyond.programId}) is not allowed: ${rule}`)
}
