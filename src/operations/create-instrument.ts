// POST /financial-instruments: a mint with everything it will ever be able to do, since extensions cannot be added later.
import { createAccount } from '../chain/instructions/system.ts'
import type { Outcome } from './call.ts'
import { newAddress } from './holdings/keys.ts'
import { checkUnique, newHolding } from './holdings/new-holding.ts'
import type { TransactionBody } from './input.ts'
import type { NewInstrumentInput } from './instrument-input.ts'
import type { Write } from './platform.ts'
import { badRequest } from './refusal.ts'
import { mintPlan } from './tokens/mint-plan.ts'
import { mintInstructions } from './tokens/mint-instructions.ts'
import { feePayerOf } from './transact/fee-payer.ts'
import { clusterOf, transact } from './transact/transact.ts'

const COMPUTE_UNITS = 400_000

export const createInstrument: Write<TransactionBody<NewInstrumentInput>> = async (
  platform,
  call,
  { itemData, chainTransactionConfig },
) => {
  if (itemData.existingMintAccount !== undefined || itemData.alreadyOnchain === true) {
    const member = itemData.alreadyOnchain === true ? 'alreadyOnChain' : 'existingMintAccount'
    throw badRequest('NOT_AVAILABLE', `${member} is not available in this release`, `/itemData/${member}`)
  }
  const mintAccount = itemData.mintAccount
  if (mintAccount === undefined) throw badRequest('REQUIRED', 'mintAccount or existingMintAccount is required', '/itemData/mintAccount')
  const fresh = newAddress(platform, mintAccount, '/itemData/mintAccount')
  const sizes = mintPlan(platform, call, itemData).sizes
  const rentLamports = await clusterOf(platform, call).rentExemptLamports(sizes.finalBytes)
  const id = platform.ids()
  const alId = mintAccount.offchainReferences?.alId
  const ids = { onchainId: fresh.address, offchainId: id, ...(alId === undefined ? {} : { alId }) }
  const members: Outcome['members'] = { newFinancialInstrument: ids }

  return await transact(platform, call, chainTransactionConfig, () => {
    const feePayer = feePayerOf(platform, call, chainTransactionConfig)
    const plan = mintPlan(platform, call, itemData)
    const creation = createAccount({
      payer: feePayer.address,
      account: fresh.address,
      lamports: rentLamports,
      space: plan.sizes.allocationBytes,
      owner: plan.program,
    })
    return {
      instructions: [creation, ...mintInstructions(fresh.address, plan)],
      feePayer,
      parties: plan.parties,
      freshKeys: fresh.key === null ? [] : [fresh.key.fresh],
      computeUnits: COMPUTE_UNITS,
      prepare: (unit) => {
        const type = mintAccount.offchainReferences?.type ?? 'ASSET_TOKEN'
        const ground = {
          address: fresh.address,
          key: fresh.key,
          type,
          ownerProgram: plan.program,
          dataLength: plan.sizes.finalBytes,
          feePayer,
        }
        const holding = newHolding(platform, call, mintAccount, ground, '/itemData/mintAccount')
        checkUnique(platform, call, holding, '/itemData/mintAccount')
        const place = { tenant: call.tenant, cluster: call.cluster, id }
        if (fresh.key !== null)
          unit.also(call.tenant, { type: 'secret', ...place, row: fresh.key.fresh.seal({ ...place, address: fresh.address }) })
        unit.create('instrument', place, { state: 'pending', holding: { ...holding, ...plan.record } })
      },
      members,
      shape: 'member',
    }
  })
}
