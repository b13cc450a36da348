/**
 * Associated token program. The program itself checks the address. Nested recovery is left out, since the message does
 * not contain its amount.
 */
import { ASSOCIATED_TOKEN_PROGRAM } from '../address.ts'
import { openRow } from './row.ts'
import type { ProgramRows, TableRow } from './row.ts'

function create(type: string, idempotent: boolean): TableRow {
  return openRow(type, 6, (view) => ({
    kind: 'createAssociated',
    payer: view.account(0),
    account: view.account(1),
    owner: view.account(2),
    mint: view.account(3),
    tokenProgram: view.account(5),
    idempotent,
  }))
}

export const associatedTokenRows: ProgramRows = {
  program: ASSOCIATED_TOKEN_PROGRAM,
  // Older clients send no data for the non-idempotent form.
  discriminate: (view) => (view.remaining === 0 ? 0 : view.u8()),
  rows: new Map([
    [0, create('CREATE_ASSOCIATED', false)],
    [1, create('CREATE_ASSOCIATED_IDEMPOTENT', true)],
  ]),
  leftOut: new Map([[2, 'RECOVER_NESTED']]),
}
