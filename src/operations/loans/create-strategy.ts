// POST /loans/strategies: creates the terms on which a vault lends one instrument. A vault has one strategy for each
// principal.
import { vaultKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { faultOf } from '../../../machines/lending/strategy.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { NewStrategyInput } from '../../contract/schemas/loan.ts'
import type { Platform, Write, Context } from '../context/platform.ts'
import { neededApprovals } from '../authorization/policies/changes.ts'
import { badRequest } from '../../contract/refusal.ts'
import { alongWith, together } from '../../contract/together.ts'
import { resolveInstrument } from '../lookup/instrument.ts'
import { ownRecord } from '../lookup/own.ts'
import { resolvePosition } from '../lookup/position.ts'
import { checkBorrowersKnown } from './borrowers.ts'
import { checkListedFeeds } from './feed-control.ts'
import { sourceFor } from '../views/loan-feeds.ts'
import { protocolNamed } from './named.ts'
import { isBuiltIn, type Lending } from '../../contract/lending.ts'
import { checkDebitLists, requireToLend } from './strategy-rights.ts'
import { collateralOf, resolveTerms } from './strategy-terms.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'newStrategy'>

const VAULT = '/itemData/strategyAccount'

export const createStrategy: Write<ItemBody<NewStrategyInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  const protocol = protocolOf(platform, itemData)
  requireToLend(call, VAULT)
  const id = platform.ids()
  const at = new Date(platform.clock.now()).toISOString()
  return await changeRecords(context, (unit) => {
    const [instrument, vault] = alongWith(
      () =>
        together(
          () => resolveInstrument(context, itemData.financialInstrument, '/itemData/financialInstrument'),
          () => vaultOf(context, protocol, itemData),
        ),
      () => collateralOf(context, itemData.collateral),
      () => checkBorrowersKnown(context, itemData.borrowers),
    )
    const mint = { address: instrument.context.address, id: instrument.id }
    checkDebitLists(context, [vault.context.address], VAULT)
    checkNew(context, vault.context.address, mint.address)
    const [source, given] = together(
      () => sourceFor(context, itemData.onchainDataSource, instrument, '/itemData/onchainDataSource'),
      () => resolveTerms(context, itemData, instrument),
    )
    const terms = {
      source,
      borrowers: null,
      originationsEnabled: true,
      originationCap: null,
      liquidityBuffer: null,
      ...given,
    }
    const position = principalPosition(context, vault, instrument)
    checkDebitLists(context, [position.address], VAULT)
    const resolved = {
      ...terms,
      protocol: protocol.name,
      collateral: terms.collateral ?? [],
      duration: terms.duration ?? itemData.duration,
      organization: call.organization,
      vault: { address: vault.context.address, id: vault.id },
      position,
      instrument: mint,
      decimals: instrument.context.decimals,
    }
    const strategy = { ...resolved, createdAt: at, updatedAt: at }
    const fault = faultOf(strategy)
    if (fault !== null) throw badRequest('STRATEGY_TERMS_INVALID', fault, '/itemData/collateral')
    checkListedFeeds(platform, call, strategy)
    const needed = neededApprovals(context, {
      operation: 'STRATEGIES',
      tenant: call.tenant,
      organizations: [call.organization],
      target: vault.id,
      resolved,
    })
    if (needed !== null) return needed
    unit.create('strategy', { tenant: call.tenant, cluster: call.cluster, id }, { strategy })
    return { members: { newStrategy: { onchainId: vault.context.address, offchainId: id } } }
  })
}

/** The requested protocol, or the built-in one. Throws 400 `PROTOCOL_NOT_SUPPORTED`. */
function protocolOf(platform: Platform, { defiProtocol }: NewStrategyInput): Lending {
  if (defiProtocol !== undefined) return protocolNamed(platform, defiProtocol)
  const builtIn = [...(platform.lending?.values() ?? [])].find(isBuiltIn)
  if (builtIn === undefined) throw new Error('a service without a lending protocol')
  return builtIn
}

/**
 * The key of the vault is stored here with the built-in protocol, and outside with a provider. Throws 400
 * `ACCOUNT_NOT_FOUND`, `ACCOUNT_NOT_MANAGED`, `ACCOUNT_MANAGED`.
 */
function vaultOf(context: Context, protocol: Lending, { strategyAccount }: NewStrategyInput): RecordState<'account'> {
  const { state } = ownRecord(context, strategyAccount, VAULT)
  const vault = ofKind(state, 'account')
  if (vault === undefined) throw badRequest('ACCOUNT_NOT_FOUND', 'the lookup matches no wallet', VAULT)
  const { managed } = vault.context
  if (isBuiltIn(protocol) && !managed)
    throw badRequest('ACCOUNT_NOT_MANAGED', 'the service must hold the key of the vault', VAULT)
  if (!isBuiltIn(protocol) && managed)
    throw badRequest(
      'ACCOUNT_MANAGED',
      `the provider ${protocol.name} must hold the key of the vault, but this service holds it`,
      VAULT,
    )
  return vault
}

function principalPosition(context: Context, vault: RecordState<'account'>, instrument: RecordState<'instrument'>) {
  const lookup = { owner: { offchainId: vault.id }, financialInstrument: { offchainId: instrument.id } }
  const { entry, address } = resolvePosition(context, lookup, VAULT)
  if (entry === null)
    throw badRequest('POSITION_NOT_FOUND', 'the vault has no position in the principal: initialize it first', VAULT)
  return { address, id: entry.head.id }
}

function checkNew({ platform, call }: Context, vault: string, mint: string): void {
  const exists = platform.engine.directory
    .findOwn(vaultKey(call.cluster, vault))
    .some(({ head }) => head.tenant === call.tenant && ofKind(head, 'strategy')?.context.instrument.address === mint)
  if (exists)
    throw badRequest(
      'ALREADY_EXISTS',
      'the vault has a strategy for this instrument already',
      '/itemData/financialInstrument',
    )
}
