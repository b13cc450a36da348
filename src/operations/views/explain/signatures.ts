// Every signature of a transaction: the address, whether this service made it, and the signature itself once the
// service has released it. Earlier it is hidden, because anyone who has it could send the transaction.
import { signatureText } from '../../../solana/address.ts'
import { parseTransaction } from '../../../solana/parse.ts'
import type { ExplanationModel } from '../../../contract/schemas/transaction-answers.ts'
import type { Context } from '../../context/platform.ts'
import { referTo } from '../../lookup/party.ts'
import type { Case } from './check.ts'

export function signaturesOf(
  context: Context,
  { transaction, payload }: Pick<Case, 'transaction' | 'payload'>,
): ExplanationModel['signatures'] {
  const { signedBytes, signatures, held, exposed, outside = [], asked = [] } = payload
  const { fixed } = transaction.context
  const signatureBytes =
    signedBytes === null
      ? (signatures ?? []).map((each) => (each === null ? null : Buffer.from(each, 'base64')))
      : parseTransaction(Buffer.from(signedBytes, 'base64')).signatures
  const isReleased = exposed === true || (signedBytes !== null && held !== true)
  return fixed.signers.map(({ address }, index) => {
    const signature = signatureBytes[index] ?? null
    const ours = signature !== null && !outside.includes(address)
    return {
      onchainId: address,
      offchainId: referTo(context, address).id,
      signed: signature !== null,
      ours,
      asked: asked.some((each) => each.address === address),
      signature: signature === null || (ours && !isReleased) ? null : signatureText(signature),
    }
  })
}
