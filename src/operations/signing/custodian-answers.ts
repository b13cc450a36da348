// Answers that custodians send by themselves, when they have decided.
import type { CallbackHeaders } from '../../keys/custodians/callback.ts'
import type { Custodians } from '../../keys/custodians/custodians.ts'
import type { CustodianAnswer } from '../../keys/custodians/protocol.ts'
import type { SigningQueuePort } from '../context/platform.ts'
import { InvalidSignature } from '../transactions/signing/signing-queue.ts'

export interface CustodianAnswers {
  /** True if the custodian signed the request, and recently. */
  isSigned(signer: string, headers: CallbackHeaders, body: string): boolean
  /** Whether a transaction waited for the answer; `invalid`: its signature is not one of the requested message. */
  receive(signer: string, id: string, answer: CustodianAnswer): Promise<boolean | 'invalid'>
}

export function custodianAnswers(
  custodians: Pick<Custodians, 'isCallback'>,
  signingQueue: Pick<SigningQueuePort, 'receive'>,
): CustodianAnswers {
  return {
    isSigned: (signer, headers, body) => custodians.isCallback(signer, headers, body),
    async receive(signer, id, answer) {
      try {
        return await signingQueue.receive(signer, id, answer)
      } catch (error) {
        if (error instanceof InvalidSignature) return 'invalid'
        throw error
      }
    },
  }
}
