/** Token and Token-2022: transfer, mint and burn. Always the checked forms, which name the mint and its decimals. */
import type { AccountMeta, Instruction } from '../message.ts'
import { putU64, readonly, signer, writable } from './bytes.ts'

interface Checked {
  readonly authority: string
  readonly program: string
  readonly mint: string
  /** Raw units. */
  readonly amount: bigint
  readonly decimals: number
}

function checked(discriminator: number, request: Checked, accounts: AccountMeta[]): Instruction {
  const data = new Uint8Array(10)
  data[0] = discriminator
  putU64(data, 1, request.amount)
  data[9] = request.decimals
  accounts.push(signer(request.authority))
  return { program: request.program, accounts, data }
}

/**
 * `authority` is the owner of `source`, its delegate, or the permanent delegate of the mint. `hookAccounts` are
 * appended for a mint with a transfer hook.
 */
export function transferChecked(
  request: Checked & {
    readonly source: string
    readonly destination: string
    readonly hookAccounts?: readonly AccountMeta[]
  },
): Instruction {
  const accounts = [writable(request.source), readonly(request.mint), writable(request.destination)]
  const instruction = checked(12, request, accounts)
  return request.hookAccounts
    ? { ...instruction, accounts: [...instruction.accounts, ...request.hookAccounts] }
    : instruction
}

/** `authority` is the mint authority. */
export function mintToChecked(request: Checked & { readonly destination: string }): Instruction {
  return checked(14, request, [writable(request.mint), writable(request.destination)])
}

/** `authority` is the owner of `source`, its delegate, or the permanent delegate of the mint. */
export function burnChecked(request: Checked & { readonly source: string }): Instruction {
  return checked(15, request, [writable(request.source), writable(request.mint)])
}
