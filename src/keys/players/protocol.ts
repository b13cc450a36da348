// The protocol between the service and its threshold signers over the IPC channel of each process, which no other
// process can use. The service forwards messages between signers and cannot read the secret ones.
import type { Commitments, GivenShare, PublicJson, Round1Package } from './frost.ts'

export interface DkgSession {
  readonly session: string
  readonly threshold: number
  /** Code and identity (X25519 public key, hex) of every threshold signer of the key. */
  readonly players: Readonly<Record<string, string>>
}

/** Every question to a threshold signer, with its answer. */
interface PlayerCalls {
  /**
   * Answers the signer's identity.
   * @param keys 32 bytes each; files under another key than the first are moved to the first
   */
  open(input: { readonly code: string; readonly path: string; readonly keys: readonly Uint8Array[] }): {
    identity: string
    moved: boolean
  }
  begin(input: DkgSession): Round1Package
  /** Answers a sealed package for each of the other signers. */
  distribute(input: {
    readonly session: string
    readonly packages: Readonly<Record<string, Round1Package>>
  }): Record<string, string>
  /** The share is durable when this is answered. */
  finish(input: { readonly session: string; readonly sealed: Readonly<Record<string, string>> }): {
    publicKey: Uint8Array
    shared: PublicJson
  }
  commit(input: { readonly publicKey: string; readonly attempt: string }): Commitments
  sign(input: {
    readonly publicKey: string
    readonly attempt: string
    readonly message: Uint8Array
    readonly commitments: readonly Commitments[]
  }): Uint8Array
}

/** Questions to the combiner process, which has no secrets. */
interface CombinerCalls {
  combine(input: {
    readonly shared: PublicJson
    readonly message: Uint8Array
    readonly given: readonly GivenShare[]
  }): { signature: Uint8Array } | { cheaters: string[] }
}

type Calls = PlayerCalls & CombinerCalls
export type CallName = keyof Calls
export type CallInput<Name extends CallName> = Parameters<Calls[Name]>[0]
export type AnswerOf<Name extends CallName> = ReturnType<Calls[Name]>

export interface PlayerCall {
  readonly id: number
  readonly call: CallName
  readonly input: unknown
}

export type PlayerReply =
  | { readonly id: number; readonly answer: unknown }
  /** A text that contains no secret. */
  | { readonly id: number; readonly problem: string }

/** A threshold signer's own message for a rejected call. */
export class PlayerProblem extends Error {
  override readonly name = 'PlayerProblem'
}
