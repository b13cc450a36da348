// FROST (RFC 9591) over Ed25519, from @noble/curves: the only file that uses the library. The public data shared by all
// signers of a key is stored as JSON in the store's row; shares and nonces have no JSON form here.
import { ed25519_FROST as frost } from '@noble/curves/ed25519.js'

type Round1 = ReturnType<typeof frost.DKG.round1>
export type Round1Package = Round1['public']
export type DkgSecret = Round1['secret']
type Key = ReturnType<typeof frost.DKG.round3>
export type PublicPackage = Key['public']
export type SecretShare = Key['secret']
type Committed = ReturnType<typeof frost.commit>
export type Nonces = Committed['nonces']
export type Commitments = Committed['commitments']

/** The public data of a threshold key, as JSON. */
export interface PublicJson {
  readonly threshold: number
  /** Hex; the first is the public key of the whole key. */
  readonly commitments: readonly string[]
  /** By code of the threshold signer, hex. */
  readonly identifiers: Readonly<Record<string, string>>
  /** By code of the threshold signer, hex: verifies the signer's shares of signatures. */
  readonly verifyingShares: Readonly<Record<string, string>>
}

export interface GivenShare {
  readonly code: string
  readonly commitments: Commitments
  readonly share: Uint8Array
}

export function identifierOf(code: string): string {
  return frost.Identifier.derive(code)
}

export const dkg = frost.DKG

export function commit(secret: SecretShare): Committed {
  return frost.commit(secret)
}

/** Consumes the nonces. */
export function signShare(
  secret: SecretShare,
  shared: PublicPackage,
  nonces: Nonces,
  { all, message }: { readonly all: Commitments[]; readonly message: Uint8Array },
): Uint8Array {
  return frost.signShare(secret, shared, nonces, all, message)
}

/**
 * The signature of the whole key, or the codes of the threshold signers that returned an invalid share. Commitments
 * under another signer's identifier count as an invalid share.
 */
export function combine(
  shared: PublicPackage,
  message: Uint8Array,
  given: readonly GivenShare[],
): { signature: Uint8Array } | { cheaters: string[] } {
  const impostors = given
    .filter(({ code, commitments }) => commitments.identifier !== identifierOf(code))
    .map(({ code }) => code)
  if (impostors.length > 0) return { cheaters: impostors }
  const all = given.map(({ commitments }) => commitments)
  try {
    const signature = frost.aggregate(
      shared,
      all,
      message,
      Object.fromEntries(given.map(({ code, share }) => [identifierOf(code), share])),
    )
    if (frost.verify(signature, message, shared.commitments[0]!)) return { signature }
  } catch {
    // The signer at fault is determined below.
  }
  return { cheaters: given.filter((each) => !isTrue(shared, all, message, each)).map(({ code }) => code) }
}

function isTrue(shared: PublicPackage, all: Commitments[], message: Uint8Array, { code, share }: GivenShare): boolean {
  try {
    return frost.verifyShare(shared, all, message, identifierOf(code), share)
  } catch {
    return false
  }
}

export function publicToJson(
  { signers, commitments, verifyingShares }: PublicPackage,
  codes: readonly string[],
): PublicJson {
  return {
    threshold: signers.min,
    commitments: commitments.map(hex),
    identifiers: Object.fromEntries(codes.map((code) => [code, identifierOf(code)])),
    verifyingShares: Object.fromEntries(codes.map((code) => [code, hex(verifyingShares[identifierOf(code)]!)])),
  }
}

export function publicFromJson({ threshold, commitments, verifyingShares }: PublicJson): PublicPackage {
  const shares = Object.entries(verifyingShares)
  return {
    signers: { min: threshold, max: shares.length },
    commitments: commitments.map(bytes),
    verifyingShares: Object.fromEntries(shares.map(([code, share]) => [identifierOf(code), bytes(share)])),
  }
}

export function hex(value: Uint8Array): string {
  return Buffer.from(value).toString('hex')
}

export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'hex'))
}
