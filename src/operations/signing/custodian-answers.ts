// Callbacks: the answers that custodians send once they have decided.
import { signatureRequestKey } from '../../engine/index/index-keys.ts'
import type { CallbackHeaders } from '../../keys/custodians/callback.ts'
import type { Custodians } from '../../keys/custodians/custodians.ts'
import type { CustodianAnswer } from '../../keys/custodians/protocol.ts'
import type { Platform } from '../context/platform.ts'

export interface CustodianAnswers {
  /** True if the custodian signed the request, and recently. */
  isSigned(signer: string, headers: CallbackHeaders, body: string): boolean
  /** True if a transaction waited for the answer; `invalid`: the signature does not verify for its message. */
  receive(signer: string, id: string, answer: CustodianAnswer): Promise<boolean | 'invalid'>
  /**
   * The next tenant of another cell with a transaction that may wait for the answer, in the order of tenant ids.
   *
   * @param after the tenant that the previous call returned; undefined in the first call
   * @returns undefined if no tenant is left
   */
  elsewhere(id: string, after: string | undefined): Promise<string | undefined>
}

export function custodianAnswers(
  custodians: Pick<Custodians, 'isCallback'>,
  { signingQueue, engine, otherCells }: Pick<Platform, 'signingQueue' | 'engine' | 'otherCells'>,
): CustodianAnswers {
  return {
    isSigned: (signer, headers, body) => custodians.isCallback(signer, headers, body),
    receive: (signer, id, answer) => signingQueue.receive(signer, id, answer),
    async elsewhere(id, after) {
      if (otherCells === undefined || engine.store.names?.hasNeighbours() !== true) return undefined
      const holders = await otherCells.holdersOf(signatureRequestKey(id))
      return holders.filter((each) => !engine.owns(each) && (after === undefined || each > after)).sort()[0]
    },
  }
}
