// Every signature of a transaction: the address, whether this service made it, and the signature itself once it has
// left the service. Earlier it is hidden, because anyone who has it could send the transaction.
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
  const made =
    signedBytes === null
      ? (signatures ?? []).map((each) => (each === null ? null : Buffer.from(each, 'base64')))
      : parseTransaction(Buffer.from(signedBytes, 'base64')).signatures
  const left = exposed === true || (signedBytes !== null && held !== true)
  return fixed.signers.map(({ address }, index) => {
    const signature = made[index] ?? null
    const ours = signature !== null && !outside.includes(address)
    return {
      onchainId: address,
      offchainId: referTo(context, address).id,
      signed: signature !== null,
      ours,
      asked: asked.some((each) => each.address === address),
      signature: signature === null || (ours && !left) ? null : signatureText(signature),
    }
  })
}
