// What the escrow of a loan still holds of the collateral in the books of the loan. The permanent delegate of a mint
// can take or burn tokens of any account, also of an escrow. Only what remains secures a debt, and can be released.
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Pledge } from '../../../machines/lending/loan-books.ts'
import type { Platform } from '../context/platform.ts'

type Loan = RecordState<'loan'>

/**
 * The loan with no pledge above the balance of the escrow's position.
 *
 * @param version `head` for decisions, `committed` for answers
 */
export function withHeldCollateral({ engine }: Platform, loan: Loan, version: 'head' | 'committed' = 'head'): Loan {
  const held = (pledge: Pledge): Pledge => {
    const { id } = pledge.position
    const position = id === null ? undefined : ofKind(engine.directory.anywhere(id)?.[version], 'position')
    if (position === undefined) return pledge
    const balance = BigInt(position.context.tokens.balance)
    if (balance >= BigInt(pledge.amount)) return pledge
    return { ...pledge, amount: (balance > 0n ? balance : 0n).toString() }
  }
  return { ...loan, context: { ...loan.context, pledged: loan.context.pledged.map(held) } }
}
