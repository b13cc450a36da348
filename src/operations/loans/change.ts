// Executes every change of a loan: in one transaction with the built-in protocol, in one or several with a provider.
import type { JsonObject, Outcome } from '../../contract/call.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { Context } from '../context/platform.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { transact } from '../transactions/transact.ts'
import { changeDraft, checkAsked, type WantedChange } from './change-draft.ts'
import { isBuiltIn, type Lending } from '../../contract/lending.ts'
import { provideChange } from './provide-change.ts'

export async function changeLoan<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  lending: Lending,
  wanted: WantedChange<Members>,
): Promise<Outcome<Members>> {
  const { platform, call } = context
  if (!isBuiltIn(lending)) return await provideChange(context, config, lending, wanted)
  return await runAttempts(platform, call, ({ known }) =>
    transact(context, config, () => {
      const plan = wanted.buildPlan(known, Math.floor(platform.clock.now() / 1000))
      checkAsked(call, plan)
      return changeDraft(lending, plan)
    }),
  )
}
