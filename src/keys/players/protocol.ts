// What the service and its players say to each other, over the pipe that a player's process was started with: nobody else can speak there.
// The service carries messages between players and cannot read the secret ones.
import type { Commitments, GivenShare, PublicJson, Round1Package } from './frost.ts'

export interface DkgSession {
  readonly session: string
  readonly threshold: number
  /** Code and identity (X25519 public key, hex) of every player of the key. */
  readonly players: Readonly<Record<string, string>>
}

/** Every question to a player, with its answer. */
export interface PlayerCalls {
  /** `keys`: 32 bytes each; the store is moved under the first when it lies under another. Answers its identity. */
  open(input: { readonly code: string; readonly path: string; readonly keys: readonly Uint8Array[] }): { identity: string; moved: boolean }
  begin(input: DkgSession): Round1Package
  /** Answers a sealed package for each of the others. */
  distribute(input: { readonly session: string; readonly packages: Readonly<Record<string, Round1Package>> }): Record<string, string>
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

/** The questions to the process that puts signatures together: it holds no secret. */
export interface CombinerCalls {
  combine(input: {
    readonly shared: PublicJson
    readonly message: Uint8Array
    readonly given: readonly GivenShare[]
  }): { signature: Uint8Array } | { cheaters: string[] }
}

type Calls = PlayerCalls & CombinerCalls
export type CallName = keyof Calls
export type InputOf<Name extends CallName> = Parameters<Calls[Name]>[0]
export type AnswerOf<Name extends CallName> = ReturnType<Calls[Name]>

export interface Question {
  readonly id: number
  readonly call: CallName
  readonly input: unknown
}

export type Reply =
  | { readonly id: number; readonly answer: unknown }
  /** A text that holds no secret. */
  | { readonly id: number; readonly problem: string }

/** A player's own words for what it will not do. */
export class PlayerProblem extends Error {
  override readonly name = 'PlayerProblem'
}
