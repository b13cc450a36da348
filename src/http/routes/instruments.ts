// Routes of financial instruments.
import { changeAuthorities } from '../../operations/instruments/change-authorities.ts'
import { circulatingSupply } from '../../operations/instruments/circulating-supply.ts'
import { closeInstrument } from '../../operations/instruments/close.ts'
import { createInstrument } from '../../operations/instruments/create.ts'
import { fetchHolders } from '../../operations/instruments/holders.ts'
import { instrumentDetails } from '../../operations/instruments/details.ts'
import { HOLDERS } from '../../operations/views/bulk/holders.ts'
import { INSTRUMENTS } from '../../operations/views/bulk/resources.ts'
import { fetchInstruments } from '../../operations/views/fetch-bulk.ts'
import { extensionsCalculator } from '../../operations/instruments/extensions-calculator.ts'
import { pauseInstrument, unpauseInstrument } from '../../operations/instruments/switch.ts'
import { updateInstrument } from '../../operations/instruments/update.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import * as levels from '../../contract/schemas/levels.ts'
import { authorityChanges } from '../../contract/schemas/authorities.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody, transactionBody } from '../../contract/values/chain-config.ts'
import { holders, holdersBody } from '../../contract/schemas/holder.ts'
import * as instruments from '../../contract/schemas/instrument.ts'
import { accountLookup } from '../../contract/values/lookup.ts'

export const INSTRUMENT_ROUTES: readonly Route[] = group(
  {
    tag: 'Financial instruments',
    path: '/api/v1/financial-instruments',
    reads: ['INSTRUMENTS_READ'],
    writes: ['INSTRUMENTS_WRITE'],
  },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create a financial instrument',
      schema: transactionBody(instruments.newInstrument),
      operation: createInstrument,
      status: 201,
      transaction: 'if requested',
      conflict: true,
      answer: answers.createdInstrument,
    }),
    write({
      method: 'PATCH',
      path: '',
      summary: 'Update a financial instrument',
      schema: transactionBody(instruments.instrumentChanges),
      operation: updateInstrument,
      status: 200,
      transaction: 'if requested',
      notFound: true,
      answer: answers.createdByPlan('updatedFinancialInstrument'),
    }),
    write({
      method: 'PATCH',
      path: '/authorities',
      alsoBare: true,
      summary: 'Hand authorities of a financial instrument on, or give them up',
      schema: transactionBody(authorityChanges),
      operation: changeAuthorities,
      status: 200,
      transaction: 'always',
      answer: answers.created('updatedFinancialInstrument'),
    }),
    write({
      method: 'PATCH',
      path: '/pause',
      summary: 'Pause a financial instrument',
      schema: transactionBody(instruments.switchInstrument),
      operation: pauseInstrument,
      status: 200,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'PATCH',
      path: '/unpause',
      summary: 'Unpause a financial instrument',
      schema: transactionBody(instruments.switchInstrument),
      operation: unpauseInstrument,
      status: 200,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'PATCH',
      path: '/close',
      summary: 'Close a financial instrument',
      schema: transactionBody(instruments.closeInstrument),
      operation: closeInstrument,
      status: 200,
      transaction: 'always',
      answer: answers.created('closedFinancialInstrument'),
    }),
    read({
      path: '/single/circulating-supply',
      summary: 'Fetch the circulating supply of a financial instrument',
      schema: itemBody(instruments.circulatingSupply),
      operation: circulatingSupply,
      answer: answers.circulatingSupplyAnswer,
    }),
    read({
      path: '/holders/bulk',
      alsoBare: true,
      summary: 'Fetch the holders of a financial instrument',
      roles: ['POSITIONS_READ'],
      schema: holdersBody(HOLDERS),
      operation: fetchHolders,
      answer: holders,
    }),
    read({
      path: '/single',
      summary: 'Fetch a financial instrument',
      schema: itemBody(accountLookup),
      operation: instrumentDetails,
      notFound: true,
      answer: answers.instrument,
    }),
    read({
      path: '/token-extensions-calculator',
      summary: 'Calculate the size and the rent of a mint',
      schema: instruments.extensionsCalculator,
      operation: extensionsCalculator,
      answer: answers.mintSizes,
    }),
    read({
      path: '/bulk/{detail-level}',
      summary: 'Fetch financial instruments',
      schema: bulkBody(INSTRUMENTS),
      operation: fetchInstruments,
      answer: levels.instruments,
    }),
  ],
)
