/**
 * System program. It accepts consent for a nonce from *any* signer of the instruction. Nonce instructions that need
 * consent therefore have exact account counts, so that no other signer can follow the last account. The others identify
 * accounts by position, and clients do append reference accounts.
 */
import { SYSTEM_PROGRAM } from '../address.ts'
import { exact, neutral, openRow } from './row.ts'
import type { ProgramRows, TableRow } from './row.ts'
import type { EffectBody } from './effect.ts'
import type { InstructionView } from './view.ts'

function createAccount(view: InstructionView): EffectBody {
  const [payer, account] = [view.account(0), view.account(1)]
  return { kind: 'create', payer, account, lamports: view.u64(), space: view.u64(), owner: view.address(), base: null }
}

function createWithSeed(view: InstructionView): EffectBody {
  const [payer, account] = [view.account(0), view.account(1)]
  const base = view.address()
  view.bincodeText()
  return { kind: 'create', payer, account, lamports: view.u64(), space: view.u64(), owner: view.address(), base }
}

function transfer(view: InstructionView): EffectBody {
  const from = view.account(0)
  return { kind: 'lamports', from, to: view.account(1), lamports: view.u64(), signer: from }
}

function transferWithSeed(view: InstructionView): EffectBody {
  const lamports = view.u64()
  view.bincodeText()
  view.address()
  return { kind: 'lamports', from: view.account(0), to: view.account(2), lamports, signer: view.account(1) }
}

function withdrawNonce(view: InstructionView): EffectBody {
  return { kind: 'lamports', from: view.account(0), to: view.account(1), lamports: view.u64(), signer: view.account(4) }
}

function allocateWithSeed(view: InstructionView): EffectBody {
  const base = view.address()
  view.bincodeText()
  const space = view.u64()
  view.address()
  return { kind: 'allocate', account: view.account(0), space, base }
}

function assignWithSeed(view: InstructionView): EffectBody {
  const base = view.address()
  view.bincodeText()
  return { kind: 'assign', account: view.account(0), owner: view.address(), base }
}

const guarded = 'unless-managed'

const rows: [number, TableRow][] = [
  [0, openRow('CREATE_ACCOUNT', 2, createAccount)],
  [
    1,
    openRow(
      'ASSIGN',
      1,
      (view) => ({ kind: 'assign', account: view.account(0), owner: view.address(), base: null }),
      guarded,
    ),
  ],
  [2, openRow('TRANSFER', 2, transfer)],
  // The base is listed as an account too, unless it is the payer.
  [3, openRow('CREATE_ACCOUNT_WITH_SEED', 2, createWithSeed)],
  [
    4,
    exact('ADVANCE_NONCE', 3, (view) => ({ kind: 'nonceAdvance', nonce: view.account(0), authority: view.account(2) })),
  ],
  [5, exact('WITHDRAW_NONCE', 5, withdrawNonce)],
  [
    6,
    openRow('INITIALIZE_NONCE', 3, (view) => ({
      kind: 'nonceInitialize',
      nonce: view.account(0),
      authority: view.address(),
    })),
  ],
  [
    7,
    exact(
      'AUTHORIZE_NONCE',
      2,
      (view) => {
        return { kind: 'nonceAuthorize', nonce: view.account(0), authority: view.account(1), next: view.address() }
      },
      guarded,
    ),
  ],
  [
    8,
    openRow(
      'ALLOCATE',
      1,
      (view) => ({ kind: 'allocate', account: view.account(0), space: view.u64(), base: null }),
      guarded,
    ),
  ],
  [9, openRow('ALLOCATE_WITH_SEED', 2, allocateWithSeed, guarded)],
  [10, openRow('ASSIGN_WITH_SEED', 2, assignWithSeed, guarded)],
  [11, openRow('TRANSFER_WITH_SEED', 3, transferWithSeed)],
  [12, neutral('UPGRADE_NONCE', 1)],
]

export const systemRows: ProgramRows = {
  program: SYSTEM_PROGRAM,
  discriminate: (view) => view.u32(),
  rows: new Map(rows),
  leftOut: new Map([[13, 'CREATE_ACCOUNT_ALLOW_PREFUND']]),
}
