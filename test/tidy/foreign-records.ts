// src/operations/lookup/whose-records.ts decides which records are visible. Other code that could read records of other
// tenants at an address, or all records of the server, is named here with its reason; other files may not.
import ts from 'typescript'
import { nodesOf, treeOf } from './imports.ts'
import { isCode, type Rule } from './tree.ts'

const KEY_KEPT = 'asks for records whose key is kept here, which nobody has who does not have the key'
const EVERY_BOOK = 'what the chain shows, or a message does, concerns every record of the address'
const CAN_SIGN =
  "asks for keys that can come to sign for the caller: the tenant's, granted ones, those of who accepts requests"
const OWN = 'takes records of one tenant, by name'
const ADMINISTRATOR = 'an administrator switches records of every tenant that he administers'
const BACKGROUND = 'goes through records in the background, for each tenant alike'

/** Files that name an index by address. */
const BY_ADDRESS: Readonly<Record<string, string>> = {
  'src/operations/lookup/whose-records.ts': 'decides whose records answer',
  'src/operations/lookup/account.ts': 'asks whose-records.ts which of them answer',
  'src/operations/lookup/request-records.ts': 'asks the directory for others, which are named here themselves',
  'src/operations/lookup/position.ts': 'takes the record that a position names by its id',
  'src/operations/lookup/nonce.ts': KEY_KEPT,
  'src/operations/lookup/governing.ts': 'asks whether the tenant of a record keeps the key of its owner',
  'src/operations/lookup/party.ts': OWN,
  'src/operations/admin/freeze-target.ts': ADMINISTRATOR,
  'src/operations/admin/lane-target.ts': ADMINISTRATOR,
  'src/operations/accounts/private-key.ts': 'marks every record of a key that is exported',
  'src/operations/authorization/rent.ts': CAN_SIGN,
  'src/operations/transactions/countersign/evaluate-share.ts': OWN,
  'src/operations/holdings/new-holding.ts': OWN,
  'src/operations/holdings/keys.ts': 'refuses a key at a custodian that somebody else has registered',
  'src/operations/loans/feed-control.ts': KEY_KEPT,
  'src/operations/transactions/nonces/void.ts': KEY_KEPT,
  'src/operations/background/listener.ts': EVERY_BOOK,
  'src/operations/signing/foreign.ts': CAN_SIGN,
  'src/operations/transactions/signing/named.ts': KEY_KEPT,
  'src/operations/transactions/signing/rebuild.ts': KEY_KEPT,
  'src/operations/lookup/signing-requests.ts': CAN_SIGN,
  'src/operations/transactions/signing/send.ts': 'asks for keys that signed the transaction',
  'src/operations/transactions/signing/withheld.ts': KEY_KEPT,
  'src/operations/transactions/books.ts': EVERY_BOOK,
  'src/operations/transactions/evaluate-message.ts':
    'asks for records that this unit of work makes, or another of the tenant under way',
  'src/operations/transactions/known-failures.ts': 'asks for messages of the tenant, by any record of the address',
  'src/operations/lookup/escrows.ts': 'takes records of the tenants of the loan',
  'src/operations/authorization/fee-rights.ts': CAN_SIGN,
  'src/operations/transactions/unique-message.ts': 'asks whether this cell alone can sign the message',
  'src/operations/transactions/record.ts': OWN,
  'src/operations/authorization/signers.ts': 'asks for keys that the caller may use',
}

/** Files that go through all records. */
const THROUGH_ALL: Readonly<Record<string, string>> = {
  'src/http/owner-questions.ts': 'the owner of the process asks, over a local socket',
  'src/operations/batches/driver.ts': BACKGROUND,
  'src/operations/payment-requests/watcher.ts': BACKGROUND,
  'src/operations/distributions/driver.ts': BACKGROUND,
  'src/operations/schedules/driver.ts': BACKGROUND,
  'src/operations/background/lapse.ts': BACKGROUND,
  'src/operations/background/listener.ts': BACKGROUND,
  'src/operations/background/open-work.ts': BACKGROUND,
  'src/operations/background/reconciliation.ts': BACKGROUND,
  'src/operations/background/plan-driver.ts': BACKGROUND,
  'src/operations/transactions/signing/signing-queue.ts': BACKGROUND,
  'src/operations/webhooks/dispatcher.ts': BACKGROUND,
}

const ADDRESS_KEYS = new Set(['addressKey', 'closedAddressKey', 'atAddress', 'ownAtAddress'])
const ALL_RECORDS = new Set(['entries', 'holdings'])

export const foreignRecords: Rule = (tree) => [...misreadings(tree), ...staleExceptions(tree)]

/** An unused exception would allow a later violation. */
const staleExceptions: Rule = (tree) => {
  const isByAddress = (node: ts.Node): boolean => ts.isIdentifier(node) && ADDRESS_KEYS.has(node.text)
  return tree.files
    .filter((file) => {
      const nodes = file.path in BY_ADDRESS || file.path in THROUGH_ALL ? [...nodesOf(treeOf(file))] : []
      return (
        (file.path in BY_ADDRESS && !nodes.some(isByAddress)) || (file.path in THROUGH_ALL && !nodes.some(isThroughAll))
      )
    })
    .map(({ path }) => `${path} needs no exception of foreign-records.ts any more`)
}

const misreadings: Rule = (tree) =>
  tree.files
    .filter((file) => isCode(file) && /^src\/(?:operations|http|lending|oracle)\//.test(file.path))
    .flatMap((file) => {
      const complaints = new Set<string>()
      for (const node of nodesOf(treeOf(file))) {
        if (ts.isIdentifier(node) && ADDRESS_KEYS.has(node.text) && !(file.path in BY_ADDRESS))
          complaints.add(`${file.path} reads records at an address past whose-records.ts`)
        if (isThroughAll(node) && !(file.path in THROUGH_ALL))
          complaints.add(`${file.path} goes through all records of the server`)
      }
      return [...complaints]
    })

function isThroughAll(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node) || !ALL_RECORDS.has(node.name.text)) return false
  const of = node.expression
  return (
    (ts.isIdentifier(of) || ts.isPropertyAccessExpression(of)) &&
    (ts.isIdentifier(of) ? of : of.name).text === 'directory'
  )
}
