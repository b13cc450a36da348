// PATCH /loans/strategies: changes the terms of future loans. Existing loans keep their terms.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { StrategyChangesInput, StrategyReference } from '../../contract/schemas/loan.ts'
import type { Write, Context } from '../context/platform.ts'
import { neededApprovals } from '../authorization/policies/changes.ts'
import { badRequest } from '../../contract/refusal.ts'
import { instrumentOf } from '../lookup/instrument.ts'
import { alongWith } from '../../contract/together.ts'
import { checkBorrowersKnown } from './borrowers.ts'
import { checkListedFeeds } from './feed-control.ts'
import { principalPosition } from './principal-position.ts'
import { checkDebitLists, loosenedBy, requireToLend } from './strategy-rights.ts'
import { collateralOf, resolveTerms } from './strategy-terms.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedStrategy'>

export const updateStrategy: Write<ItemBody<StrategyChangesInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  return await changeRecords(context, (unit) => {
    const { entry, strategy } = alongWith(
      () => ownStrategy(context, itemData),
      () => checkMayLoosen(call, itemData),
      () => collateralOf(context, itemData.collateral ?? []),
      () => checkBorrowersKnown(context, itemData.borrowers),
    )
    const { instrument, vault } = strategy.context
    const position = (principalPosition(platform, strategy)?.context ?? strategy.context.position).address
    const principal = instrumentOf(platform, call, call.cluster, instrument.address)
    if (principal === undefined)
      throw badRequest('INSTRUMENT_NOT_FOUND', 'the principal of the strategy is no longer onboarded', '/itemData')
    const at = new Date(platform.clock.now()).toISOString()
    const loosened = checkMayLoosen(call, itemData)
    if (loosened !== undefined) checkDebitLists(context, [vault.address, position], `/itemData/${loosened}`)
    const changes = resolveTerms(context, itemData, principal)
    checkListedFeeds(platform, call, { ...strategy.context, ...changes })
    const needed = neededApprovals(context, {
      operation: 'STRATEGIES',
      tenant: call.tenant,
      organizations: [call.organization],
      target: strategy.id,
      resolved: changes,
    })
    if (needed !== null) return needed
    unit.send<'strategy'>(entry, { type: 'command.update', changes, at })
    return { members: { updatedStrategy: { onchainId: vault.address, offchainId: strategy.id } } }
  })
}

/** The first member that loosens the terms. Throws 403 `ROLE_REQUIRED`. */
function checkMayLoosen(call: Context['call'], changes: StrategyChangesInput): string | undefined {
  const loosened = loosenedBy(changes)
  if (loosened !== undefined) requireToLend(call, `/itemData/${loosened}`)
  return loosened
}

/** Throws 400 `STRATEGY_NOT_FOUND`. */
export function ownStrategy(
  { platform, call }: Context,
  { strategy: { offchainId } }: StrategyReference,
): { entry: Entry; strategy: RecordState<'strategy'> } {
  const entry = platform.engine.directory.resident(offchainId)
  const strategy = ofKind(entry?.head, 'strategy')
  const isOwn =
    strategy !== undefined &&
    strategy.cluster === call.cluster &&
    strategy.tenant === call.tenant &&
    strategy.context.organization === call.organization
  if (entry === undefined || !isOwn)
    throw badRequest('STRATEGY_NOT_FOUND', `no strategy ${offchainId} of this organization`, '/itemData/strategy')
  return { entry, strategy }
}
