// The read model of a lender's strategy: the members of its creation, with accounts in compact form.
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import type { StrategyContext } from '../../../../machines/lending/strategy.ts'
import { childrenKey } from '../../../engine/index/index-keys.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { multiplierShown, referenced } from './position.ts'
import { applyScale } from './scale.ts'
import type { StrategyModel } from '../../../contract/schemas/loan-answers.ts'

export function strategyModel(
  { platform, call }: Context,
  { id, tenant, context }: RecordState<'strategy'>,
): StrategyModel {
  const show = (reference: AccountRef) => referenced({ platform, call }, reference, 'compact')
  const multiplier = multiplierShown({ platform, call }, context.instrument.address)
  const amount = (raw: string) => applyScale(BigInt(raw), context.decimals, multiplier).amount
  return {
    offchainId: id,
    onchainId: context.vault.address,
    defiProtocol: context.protocol,
    strategyAccount: show(context.vault),
    financialInstrument: show(context.instrument),
    onchainDataSource: show(context.source),
    collateral: context.collateral.map(({ instrument, source, ...terms }) => ({
      financialInstrument: show(instrument),
      ...terms,
      onchainDataSource: show(source),
    })),
    duration: { ...context.duration },
    borrowers: borrowersModel(platform, tenant, context, amount),
    exemptFromDebitLimits: context.exemptFromDebitLimits ?? false,
    originationsEnabled: context.originationsEnabled,
    originationCap: context.originationCap === null ? null : amount(context.originationCap),
    liquidityBuffer: context.liquidityBuffer,
    createdAt: context.createdAt,
    updatedAt: context.updatedAt,
    tenantOrganizationId: context.organization,
  }
}

/**
 * If no borrowers are listed, every organization of the tenant may borrow: the root and those below it, which the index
 * has in no order.
 */
function borrowersModel(
  { engine }: Platform,
  tenant: string,
  { borrowers }: StrategyContext,
  amount: (raw: string) => number | string,
): StrategyModel['borrowers'] {
  const below = (): readonly string[] =>
    engine.directory
      .find(childrenKey(tenant))
      .flatMap(({ head }) => ofKind(head, 'organization')?.context.externalId ?? [])
      .sort()
  return (borrowers ?? [tenant, ...below()]).map((borrower) =>
    typeof borrower === 'string'
      ? { organizationExternalId: borrower, cap: null }
      : { organizationExternalId: borrower.organization, cap: amount(borrower.cap) },
  )
}
