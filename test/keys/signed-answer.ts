// The signature in the answer of a remote signer.
import type { SignerAnswer } from '../../src/keys/signer.ts'

/** Fails the test for any other answer. */
export async function signatureIn(asked: Promise<SignerAnswer>): Promise<Uint8Array> {
  const answer = await asked
  if (answer.kind !== 'signed') throw new Error(`the signer has answered ${answer.kind}`)
  return answer.signature
}
