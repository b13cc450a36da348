// PATCH /financial-instruments/pause and /unpause: the pausable authority stops all transfers, mints and burns, or
// resumes them.
import { pauseMint, resumeMint } from '../../solana/instructions/mint-updates.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { SwitchInstrumentInput } from '../../contract/schemas/instrument.ts'
import type { Write } from '../context/platform.ts'
import { alongWith, together } from '../../contract/together.ts'
import { optionalParty } from '../lookup/account.ts'
import type { Party } from '../lookup/party.ts'
import { authorityParty } from '../holdings/freezing.ts'
import { checkIdle, reachableInstrument, refreshInstrument } from './named.ts'
import { checkPausing } from '../holdings/pausing.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { transact } from '../transactions/transact.ts'

const COMPUTE_UNITS = 20_000
const POINTER = '/itemData/financialInstrument'
const AUTHORITY = '/itemData/pausableAuthority'

export const pauseInstrument = switching(true)
export const unpauseInstrument = switching(false)

function switching(pause: boolean): Write<TransactionBody<SwitchInstrumentInput>> {
  return async (context, { itemData, chainTransactionConfig }) => {
    const { platform } = context
    const pauserNamed = (): Party | null => optionalParty(context, itemData.pausableAuthority, AUTHORITY)
    const subject = alongWith(() => reachableInstrument(context, itemData.financialInstrument, POINTER), pauserNamed)
    await refreshInstrument(context, subject)
    return await transact(context, chainTransactionConfig, () => {
      const { state } = reachableInstrument(context, itemData.financialInstrument, POINTER)
      const [, named] = together(() => {
        checkPausing(state, pause, POINTER)
        checkIdle(platform, state, POINTER)
      }, pauserNamed)
      const authority = authorityParty(context, state, 'pausableAuthority', { named, pointer: AUTHORITY })
      const request = { mint: state.context.address, authority: authority.address }
      return {
        instructions: [pause ? pauseMint(request) : resumeMint(request)],
        feePayer: feePayerOf(context, chainTransactionConfig),
        parties: [authority],
        computeUnits: COMPUTE_UNITS,
        shape: 'bare',
      }
    })
  }
}
