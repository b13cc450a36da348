// A lender's strategy as it is read (completion 9): the members of its creation, with accounts in compact form.
import { amountJson } from '../../../machines/amount.ts'
import type { RecordState } from '../../engine/record.ts'
import type { Call, JsonObject } from '../call.ts'
import type { Platform } from '../platform.ts'
import { referenced } from './position.ts'

export function strategyModel(platform: Platform, call: Call, { id, context }: RecordState<'strategy'>): JsonObject {
  const show = (reference: Parameters<typeof referenced>[2]): JsonObject => referenced(platform, call, reference, 'compact')
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
    borrowers: context.borrowers,
    originationsEnabled: context.originationsEnabled,
    originationCap: context.originationCap === null ? null : amountJson(BigInt(context.originationCap), context.decimals),
    liquidityBuffer: context.liquidityBuffer,
    createdAt: context.createdAt,
    updatedAt: context.updatedAt,
    tenantOrganizationId: context.organization,
  }
}
