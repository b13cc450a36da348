/**
 * The rows that Token and Token-2022 share: transfer, mint, burn, and the creation, closing and freezing of accounts.
 */
import { AUTHORITY_TYPES } from '../instructions/token-account.ts'
import type { AuthorityType } from '../instructions/token-account.ts'
import type { EffectBody } from './effect.ts'
import { neutral, openRow } from './row.ts'
import type { TableRow } from './row.ts'
import { Unreadable } from './view.ts'
import type { InstructionView } from './view.ts'

const authorityTypes = Object.keys(AUTHORITY_TYPES) as AuthorityType[]

function transfer(view: InstructionView): EffectBody {
  const { program } = view
  const [from, to, authority] = [view.account(0), view.account(1), view.account(2)]
  return {
    kind: 'tokens',
    program,
    from,
    to,
    mint: null,
    amount: view.u64(),
    authority,
    decimals: null,
    further: view.accountsFrom(3),
  }
}

/** The form with a fee ends with the fee, which the recipient bears: the debit is the amount. */
export function readTransferChecked(view: InstructionView): EffectBody {
  return {
    kind: 'tokens',
    program: view.program,
    from: view.account(0),
    to: view.account(2),
    mint: view.account(1),
    amount: view.u64(),
    authority: view.account(3),
    decimals: view.u8(),
    further: view.accountsFrom(4),
  }
}

function mintTo(view: InstructionView, checked: boolean): EffectBody {
  const { program } = view
  const [mint, to, authority] = [view.account(0), view.account(1), view.account(2)]
  return { kind: 'mint', program, mint, to, amount: view.u64(), authority, decimals: checked ? view.u8() : null }
}

function burn(view: InstructionView, checked: boolean): EffectBody {
  const { program } = view
  const [from, mint, authority] = [view.account(0), view.account(1), view.account(2)]
  return { kind: 'burn', program, mint, from, amount: view.u64(), authority, decimals: checked ? view.u8() : null }
}

function approve(view: InstructionView): EffectBody {
  const [account, delegate, authority] = [view.account(0), view.account(1), view.account(2)]
  return { kind: 'approve', program: view.program, account, mint: null, delegate, amount: view.u64(), authority }
}

function approveChecked(view: InstructionView): EffectBody {
  const [account, mint, delegate, authority] = [view.account(0), view.account(1), view.account(2), view.account(3)]
  const amount = view.u64()
  view.u8()
  return { kind: 'approve', program: view.program, account, mint, delegate, amount, authority }
}

function setAuthority(view: InstructionView): EffectBody {
  const which = authorityTypes[view.u8()]
  if (which === undefined) throw new Unreadable('the kind of authority is not known')
  const next = view.taggedAddress()
  return { kind: 'authority', program: view.program, account: view.account(0), which, authority: view.account(1), next }
}

function close(view: InstructionView): EffectBody {
  const [account, destination, authority] = [view.account(0), view.account(1), view.account(2)]
  return { kind: 'close', program: view.program, account, destination, authority }
}

function freeze(view: InstructionView, kind: 'freeze' | 'thaw'): EffectBody {
  const [account, mint, authority] = [view.account(0), view.account(1), view.account(2)]
  return { kind, program: view.program, account, mint, authority }
}

function initializeMint(view: InstructionView): EffectBody {
  const [program, mint] = [view.program, view.account(0)]
  const decimals = view.u8()
  return {
    kind: 'initializeMint',
    program,
    mint,
    decimals,
    mintAuthority: view.address(),
    freezeAuthority: view.taggedAddress(),
  }
}

function initializeAccount(view: InstructionView, ownerInData: boolean): EffectBody {
  const owner = ownerInData ? view.address() : view.account(2)
  return { kind: 'initializeAccount', program: view.program, account: view.account(0), mint: view.account(1), owner }
}

const initializeMultisig = (view: InstructionView): EffectBody => ({
  kind: 'initializeMultisig',
  program: view.program,
  account: view.account(0),
})

export const sharedTokenRows: readonly (readonly [number, TableRow])[] = [
  [0, openRow('INITIALIZE_MINT', 1, initializeMint)],
  [1, openRow('INITIALIZE_ACCOUNT', 3, (view) => initializeAccount(view, false))],
  [2, openRow('INITIALIZE_MULTISIG', 2, initializeMultisig)],
  [3, openRow('TRANSFER', 3, transfer)],
  [4, openRow('APPROVE', 3, approve, 'unless-managed')],
  [5, neutral('REVOKE', 2)],
  [6, openRow('SET_AUTHORITY', 2, setAuthority, 'unless-managed')],
  [7, openRow('MINT_TO', 3, (view) => mintTo(view, false))],
  [8, openRow('BURN', 3, (view) => burn(view, false))],
  [9, openRow('CLOSE_ACCOUNT', 3, close)],
  [10, openRow('FREEZE_ACCOUNT', 3, (view) => freeze(view, 'freeze'))],
  [11, openRow('THAW_ACCOUNT', 3, (view) => freeze(view, 'thaw'))],
  [12, openRow('TRANSFER_CHECKED', 4, readTransferChecked)],
  [13, openRow('APPROVE_CHECKED', 4, approveChecked, 'unless-managed')],
  [14, openRow('MINT_TO_CHECKED', 3, (view) => mintTo(view, true))],
  [15, openRow('BURN_CHECKED', 3, (view) => burn(view, true))],
  [16, openRow('INITIALIZE_ACCOUNT_2', 2, (view) => initializeAccount(view, true))],
  [17, neutral('SYNC_NATIVE', 1)],
  [18, openRow('INITIALIZE_ACCOUNT_3', 2, (view) => initializeAccount(view, true))],
  [19, openRow('INITIALIZE_MULTISIG_2', 1, initializeMultisig)],
  [20, openRow('INITIALIZE_MINT_2', 1, initializeMint)],
  [21, neutral('GET_ACCOUNT_DATA_SIZE', 1)],
  [22, neutral('INITIALIZE_IMMUTABLE_OWNER', 1)],
  [23, neutral('AMOUNT_TO_UI_AMOUNT', 1)],
  [24, neutral('UI_AMOUNT_TO_AMOUNT', 1)],
]

/**
 * Instructions of both programs that are left out: their effects are not visible in the message, or are in nested
 * instructions.
 */
export const sharedLeftOut: readonly (readonly [number, string])[] = [
  [38, 'WITHDRAW_EXCESS_LAMPORTS'],
  [45, 'UNWRAP_LAMPORTS'],
  [255, 'BATCH'],
]
