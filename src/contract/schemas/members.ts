// The members of the answer of a write besides its transactions, which are rendered from their records.
import type { z } from 'zod'
import type { ModelOf } from '../values/validated.ts'
import type { IdsModel, signed, TransactionResultModel } from './answers.ts'

/** Rendered from the records that an outcome names. */
type Rendered = keyof TransactionResultModel | 'chainTransaction' | 'chainTransactions' | 'chainPlan' | 'pendingChange'

/** What an operation gives to the answer with this schema. */
export type MembersOf<Schema extends z.ZodType> = Omit<ModelOf<Schema>, Rendered>

/** One member: the ids of a record. */
export type WithIds<Member extends string> = Readonly<Record<Member, IdsModel>>

/** One member: the id of a record that has no address. */
export type WithId<Member extends string> = Readonly<Record<Member, { readonly offchainId: string }>>

/** Of an answer that consists of what is rendered. */
export type NoMembers = Readonly<Record<string, never>>

export type SignedMembers = MembersOf<typeof signed>
