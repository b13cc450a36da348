// Routes of positions.
import { burnTokens } from '../../operations/positions/burn.ts'
import { closePosition } from '../../operations/positions/close.ts'
import { initializePosition } from '../../operations/positions/initialize.ts'
import { mintTokens } from '../../operations/positions/mint.ts'
import { positionBalance } from '../../operations/positions/balance.ts'
import { positionDetails } from '../../operations/positions/details.ts'
import { POSITIONS } from '../../operations/views/bulk/resources.ts'
import { fetchPositions } from '../../operations/views/fetch-bulk.ts'
import { freezePosition, unfreezePosition } from '../../operations/positions/switch.ts'
import { transferTokens } from '../../operations/positions/transfer.ts'
import { trade } from '../../operations/positions/trade/trade.ts'
import { transferNetworkCurrency } from '../../operations/positions/transfer-network-currency.ts'
import { updatePosition } from '../../operations/positions/update.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import * as levels from '../../contract/schemas/levels.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody, transactionBody } from '../../contract/values/chain-config.ts'
import { positionLookup } from '../../contract/values/lookup.ts'
import * as positions from '../../contract/schemas/position.ts'

export const POSITION_ROUTES: readonly Route[] = group(
  { tag: 'Positions', path: '/api/v1/positions', reads: ['POSITIONS_READ'], writes: ['POSITIONS_WRITE'] },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Initialize a position',
      schema: transactionBody(positions.newPosition),
      operation: initializePosition,
      status: 201,
      transaction: 'if requested',
      conflict: true,
      answer: answers.created('newPosition'),
    }),
    write({
      method: 'PATCH',
      path: '',
      summary: 'Update a position',
      schema: itemBody(positions.positionChanges),
      operation: updatePosition,
      status: 200,
      transaction: 'never',
      answer: answers.changed('updatedPosition'),
    }),
    write({
      method: 'PATCH',
      path: '/freeze',
      summary: 'Freeze a position',
      schema: transactionBody(positions.switchPosition),
      operation: freezePosition,
      status: 200,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'PATCH',
      path: '/unfreeze',
      summary: 'Unfreeze a position',
      schema: transactionBody(positions.switchPosition),
      operation: unfreezePosition,
      status: 200,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/mint',
      summary: 'Mint to a position',
      schema: transactionBody(positions.mint),
      operation: mintTokens,
      status: 201,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/burn',
      summary: 'Burn from a position',
      schema: transactionBody(positions.burn),
      operation: burnTokens,
      status: 201,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/transfer',
      summary: 'Transfer a financial instrument',
      schema: transactionBody(positions.transfer),
      operation: transferTokens,
      status: 201,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/transfer-network-currency',
      summary: 'Transfer network currency',
      schema: transactionBody(positions.transferNetworkCurrency),
      operation: transferNetworkCurrency,
      status: 201,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/trade',
      summary: 'Trade: execute several movements atomically',
      schema: transactionBody(positions.trade),
      operation: trade,
      status: 201,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'PATCH',
      path: '/close',
      summary: 'Close a position',
      schema: transactionBody(positions.closePosition),
      operation: closePosition,
      status: 200,
      transaction: 'always',
      notFound: true,
      answer: answers.transactionResult,
    }),
    read({
      path: '/single',
      summary: 'Fetch a position',
      schema: itemBody(positionLookup),
      operation: positionDetails,
      notFound: true,
      answer: answers.position,
    }),
    read({
      path: '/single/balance',
      summary: 'Fetch the balance of a position',
      schema: itemBody(positionLookup),
      operation: positionBalance,
      notFound: true,
      answer: answers.balance,
    }),
    read({
      path: '/bulk/{detail-level}',
      summary: 'Fetch positions',
      schema: bulkBody(POSITIONS),
      operation: fetchPositions,
      answer: levels.positions,
    }),
  ],
)
