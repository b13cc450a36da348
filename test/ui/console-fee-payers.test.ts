// The choice of the fee payer. The last tests: from here on the organization has two that can pay.
import { expect, it } from 'vitest'
import { Onchain } from '../e2e/onchain.ts'
import { violations } from './axe.ts'
import { fill, press } from './forms.ts'
import { openViewer, stage } from './viewer.ts'

const { scene } = stage
const chain = new Onchain(stage.rpcUrl)
const SOL = 1_000_000_000n

interface Made {
  readonly newAccount: { readonly onchainId: string; readonly offchainId: string }
}

async function read<T>(path: string, itemData: object): Promise<T> {
  const headers = { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ itemData })
  return (await (await fetch(`${stage.url}/api/v1${path}`, { method: 'POST', headers, body })).json()) as T
}

it('offers the fee payers if there are several, and names none that was not chosen', async () => {
  const second = { canPayFees: true, offchainReferences: { code: 'PAYER-2', name: 'Second <b>payer</b>' } }
  // A dry run of what needs no transaction is refused.
  await using viewer = await openViewer({ expected: /status of 400/ })
  const { page } = viewer
  await viewer.signIn()
  await viewer.open(`positions/${scene.position.offchainId}`, 'It is in the state')
  const dialog = page.getByRole('dialog')
  const act = async (label: string): Promise<void> => await press(viewer, `${label}…`)
  const submit = dialog.locator('button[type="submit"]:enabled')
  await act('Freeze position on chain')
  await submit.waitFor()
  expect(await dialog.getByLabel('Fee payer').count()).toBe(0)
  await page.keyboard.press('Escape')

  const { newAccount: payer } = await read<Made>('/accounts', second)
  await chain.airdrop(payer.onchainId, SOL)
  await read('/accounts/single/balance', { offchainId: payer.offchainId })
  await act('Freeze account')
  await submit.waitFor()
  expect(await dialog.getByLabel('Fee payer').count()).toBe(0)
  await page.keyboard.press('Escape')
  await act('Freeze position on chain')
  const choice = dialog.getByLabel('Fee payer')
  const none = 'The service chooses, if one is needed'
  expect((await choice.locator('option').allTextContents()).toSorted()).toEqual(
    [none, `Fee payer, ${scene.payer.onchainId}`, `Second <b>payer</b>, ${payer.onchainId}`].toSorted(),
  )
  await choice.selectOption(payer.offchainId)
  expect(await violations(page)).toEqual([])
  await viewer.pictures('fee-payer')
  await submit.click()
  await page.getByText(/The transaction that freezes/).waitFor()
  const payerOf = async (address: string): Promise<string> => {
    const [signature] = await chain.signatures(address)
    return (await chain.transaction(signature!)).transaction.message.staticAccountKeys[0]!.toBase58()
  }
  expect(await payerOf(scene.position.onchainId)).toBe(payer.onchainId)
  expect((await chain.token(scene.position.onchainId)).isFrozen).toBe(true)

  // Without a choice the first of them pays for what needs a transaction, and a wallet needs none.
  await act('Unfreeze position on chain')
  await submit.click()
  await page.getByText(/The transaction that unfreezes/).waitFor()
  expect(await payerOf(scene.position.onchainId)).toBe(scene.payer.onchainId)
  await viewer.open('new/account', 'New account')
  await page.getByLabel('Fee payer').waitFor()
  await fill(viewer, [['Code', 'NOT-ON-CHAIN']])
  await press(viewer, 'Check', 'New account')
  await page.getByText('New account: done.').waitFor()
  expect(await page.locator('.followed').count()).toBe(0)
  const made = await read<{ onchain: { id: string } }>('/accounts/single', {
    offchainReferences: { code: 'NOT-ON-CHAIN' },
  })
  expect(await chain.lamports(made.onchain.id)).toBe(0n)
  expect(viewer.offences).toEqual([])
})
