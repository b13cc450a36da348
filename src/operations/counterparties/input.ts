// Inputs of the operations of counterparties, after validation.
import type { CounterpartyStatus } from '../../../machines/counterparty.ts'

export interface AddressInput {
  readonly onchainId: string
  readonly label?: string | null | undefined
}

export interface NewCounterpartyInput {
  readonly externalReference?: string | null | undefined
  readonly name: string
  readonly status: CounterpartyStatus
  readonly addresses: readonly AddressInput[]
  readonly note?: string | null | undefined
}

export interface CounterpartyReference {
  readonly offchainId: string
}

export type CounterpartyMembers = {
  readonly [Member in keyof NewCounterpartyInput]?: NewCounterpartyInput[Member] | undefined
}

export interface CounterpartyChangesInput extends CounterpartyMembers {
  readonly counterparty: CounterpartyReference
}
