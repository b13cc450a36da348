// The actions, from the button to the record: each states its effect in advance, and takes effect once, however often
// the button is pressed.
import { getPausableConfig } from '@solana/spl-token'
import { expect, it } from 'vitest'
import { Onchain } from '../e2e/onchain.ts'
import { violations } from './axe.ts'
import { OTHER_TENANT } from './scene.ts'
import { openViewer, stage, type Viewer } from './viewer.ts'

const { scene } = stage
const chain = new Onchain(stage.rpcUrl)
const SOL = 1_000_000_000n

const PRESS_AGAIN_AND_AGAIN = `(() => {
  const button = document.querySelector('dialog[open] button[type="submit"]')
  button.click()
  button.click()
  button.form.requestSubmit()
})()`

interface Done {
  readonly label: string
  /** In the words of the confirmation. */
  readonly says: string
  readonly notice: RegExp
  readonly path: string
}

/** Presses twice, faster than a person can. */
async function act({ page, asked }: Viewer, { label, says, notice, path }: Done): Promise<void> {
  const before = asked.length
  await page.getByRole('button', { name: `${label}…`, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: label })
  await dialog.locator('button[type="submit"]:enabled').waitFor()
  expect(await dialog.textContent()).toContain(says)
  await page.evaluate(PRESS_AGAIN_AND_AGAIN)
  await page.getByText(notice).first().waitFor()
  await dialog.waitFor({ state: 'hidden' })
  const writes = asked.slice(before).filter((each) => each.path === `/api/v1${path}`)
  expect(writes.length).toBe(1)
  expect(new Set(writes.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(writes[0]!.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
}

async function read<T>(path: string, itemData: object, apiKey = stage.apiKey, more: object = {}): Promise<T> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ itemData, ...more })
  return (await (await fetch(`${stage.url}/api/v1${path}`, { method: 'POST', headers, body })).json()) as T
}

const statusOf = async (offchainId: string): Promise<string> =>
  (await read<{ status: string }>('/transactions/status', { offchainId })).status

it('approves a transaction above a limit, with the key of an approver', async () => {
  await using viewer = await openViewer()
  const [offchainId] = scene.waiting
  await viewer.signIn(scene.approver)
  await viewer.open(`transactions/${offchainId}`, 'It waits for approval')
  expect(await viewer.page.locator('.effects').textContent()).toContain('transfer 2 SOL')
  await viewer.pictures('approval-before')
  await act(viewer, {
    label: 'Approve transaction',
    says: '0 of at least 1 approvals are given',
    notice: /The approval is noted/,
    path: '/transactions/approve',
  })
  await expect.poll(() => statusOf(offchainId)).toMatch(/CONFIRMED|FINALIZED/)
  expect(viewer.offences).toEqual([])
})

it('lists in the inbox what waits for the key, until it is decided', async () => {
  const identity = { organizationExternalId: 'SYSTEM', name: 'of the inbox' }
  const roles = ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ']
  const key = await read<{ keyId: string; apiKey: string }>('/admin/api-keys', { ...identity, roles })
  await read('/approval-policies', {
    operations: ['COUNTERPARTIES'],
    approvers: [key.keyId],
    requiredApproversCount: 1,
  })
  const { pendingChange } = await read<{ pendingChange: { offchainId: string } }>('/counterparties', {
    name: 'Waits for the inbox',
    status: 'ALLOWED',
    addresses: [],
  })
  const { offchainId } = pendingChange
  await using viewer = await openViewer()
  const entry = viewer.page.locator(`a[href*="changes/${offchainId}"]`).first()
  await viewer.signIn(key.apiKey)
  await viewer.open('inbox', 'Open an entry to approve it')
  await entry.click()
  await viewer.page.getByRole('button', { name: 'Approve change…' }).waitFor()
  await act(viewer, {
    label: 'Approve change',
    says: '0 of at least 1 approvals are given',
    notice: /The approval is recorded/,
    path: '/pending-changes/approve',
  })
  const decided = await read<{ status: string }>('/pending-changes/single', { offchainId }, key.apiKey)
  expect(decided.status).toBe('APPLIED')
  await viewer.open('inbox', 'Open an entry to approve it')
  await expect.poll(() => entry.count()).toBe(0)
  expect(viewer.offences).toEqual([])
})

it('cancels a transaction that waits', async () => {
  await using viewer = await openViewer()
  const [, offchainId] = scene.waiting
  await viewer.signIn()
  await viewer.open(`transactions/${offchainId}`, 'It waits for approval')
  // Leaving it does nothing.
  await viewer.page.getByRole('button', { name: 'Cancel transaction…' }).click()
  await viewer.page.getByRole('button', { name: 'Leave it' }).click()
  expect(await statusOf(offchainId)).toBe('PREPARED')
  await act(viewer, {
    label: 'Cancel transaction',
    says: offchainId,
    notice: /The transaction is cancelled/,
    path: '/transactions/cancel',
  })
  await viewer.page.locator('.heading .badge', { hasText: 'cancelled' }).waitFor()
  await viewer.page.getByRole('heading', { name: 'Its approval' }).waitFor()
  expect(await viewer.page.getByText(/It waits for approval|It lapses at/).count()).toBe(0)
  expect(await statusOf(offchainId)).toBe('CANCELLED')
  expect(viewer.offences).toEqual([])
})

it('voids a nonce that a transaction holds', async () => {
  await using viewer = await openViewer()
  const { ids, holder } = scene.nonce
  await viewer.signIn()
  await viewer.open(`nonces/${ids.offchainId}`, 'in use')
  await act(viewer, { label: 'Void the nonce', says: holder, notice: /withdrawn/, path: '/transactions/cancel' })
  await expect.poll(() => statusOf(holder)).toBe('CANCELLED')
  expect(viewer.offences).toEqual([])
})

it('freezes an account and unfreezes it, and shows refusals of the service', async () => {
  await using viewer = await openViewer({ expected: /status of 400/ })
  const { page } = viewer
  await viewer.signIn()
  await viewer.open(`accounts/${scene.account.offchainId}`, 'Alice Ltd')
  await act(viewer, {
    label: 'Freeze account',
    says: scene.account.onchainId,
    notice: /The account is frozen/,
    path: '/admin/freeze',
  })
  const banner = page.getByText('An operator has frozen it')
  await banner.waitFor()
  // It is never shown as active while nothing is signed with it: here, and in the list.
  const badges = page.locator('.heading .badge')
  expect(await badges.allTextContents()).toEqual(['▲Frozen'])
  expect(await page.getByRole('button', { name: 'Freeze account…', exact: true }).count()).toBe(0)
  await viewer.open('accounts?where=[["code","EQUALS","ALICE",""]]', 'Alice Ltd')
  await page.locator('tbody .badge', { hasText: 'Frozen' }).waitFor()
  expect(await page.locator('tbody .badge', { hasText: 'Active' }).count()).toBe(0)
  await viewer.open(`accounts/${scene.account.offchainId}`, 'An operator has frozen it')
  await act(viewer, {
    label: 'Unfreeze account',
    says: 'signed with again',
    notice: /The account is unfrozen/,
    path: '/admin/unfreeze',
  })
  await banner.waitFor({ state: 'hidden' })
  expect(await badges.allTextContents()).toEqual(['●Active'])
  // Another key was first.
  await page.getByRole('button', { name: 'Freeze account…', exact: true }).click()
  const switched = async (path: string): Promise<void> => {
    await fetch(`${stage.url}/api/v1/admin/${path}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ itemData: { account: { offchainId: scene.account.offchainId } } }),
    })
  }
  await switched('freeze')
  await page.getByRole('dialog').getByRole('button', { name: 'Freeze account' }).click()
  await page.getByRole('alert').getByText('ALREADY_FROZEN').waitFor()
  await switched('unfreeze')
  await page.keyboard.press('Escape')
  expect(viewer.offences).toEqual([])
})

it('freezes a position on chain', async () => {
  await using viewer = await openViewer()
  await viewer.signIn()
  await viewer.open(`positions/${scene.position.offchainId}`, 'It is in the state')
  await act(viewer, {
    label: 'Freeze position on chain',
    says: 'nobody, here or elsewhere',
    notice: /The transaction that freezes/,
    path: '/positions/freeze',
  })
  await viewer.page.locator('.heading .badge', { hasText: 'frozen' }).waitFor()
  expect(
    (await read<{ state: string }>('/positions/single', { position: { offchainId: scene.position.offchainId } })).state,
  ).toBe('FROZEN')
  await act(viewer, {
    label: 'Unfreeze position on chain',
    says: 'go on',
    notice: /The transaction that unfreezes/,
    path: '/positions/unfreeze',
  })
  expect(viewer.offences).toEqual([])
})

it('suspends and resumes: a cluster, an organization, a lane', async () => {
  await using viewer = await openViewer()
  await viewer.signIn()
  await viewer.open('switches', 'Freeze everything')
  await act(viewer, {
    label: 'Suspend the cluster',
    says: 'for any tenant',
    notice: /The cluster is suspended/,
    path: '/admin/lanes/suspend',
  })
  // The state is beside the only button, and the banner on every page.
  const region = viewer.page.getByRole('region', { name: 'Sending' })
  await expect.poll(() => region.locator('.badge').textContent()).toBe('◆Suspended')
  expect(await region.getByRole('button').count()).toBe(1)
  await viewer.page.locator('.banner').getByText('Sending is suspended on').waitFor()
  await act(viewer, {
    label: 'Resume the cluster',
    says: 'What waits',
    notice: /The cluster is resumed/,
    path: '/admin/lanes/resume',
  })
  await act(viewer, {
    label: 'Freeze everything',
    says: 'every tenant',
    notice: /Everything is frozen/,
    path: '/admin/freeze',
  })
  const banner = viewer.page.locator('.banner')
  await expect.poll(() => banner.textContent()).toContain('Everything is frozen: nothing is signed, for any tenant.')
  const signing = viewer.page.getByRole('region', { name: 'Signing' })
  await expect.poll(() => signing.locator('.badge').textContent()).toBe('▲Frozen')
  expect(await violations(viewer.page)).toEqual([])
  await viewer.pictures('frozen-switches')
  await viewer.open('accounts', 'Alice Ltd')
  await banner.getByText('Everything is frozen').waitFor()
  expect(await viewer.page.locator('tbody .badge', { hasText: 'Active' }).count()).toBe(0)
  await viewer.pictures('frozen-accounts')
  await viewer.open('', 'Open the longest')
  await viewer.page.locator('.checks .badge.bad', { hasText: 'stopped' }).waitFor()
  await viewer.pictures('frozen-overview')
  await viewer.open('switches', 'Unfreeze everything')
  await act(viewer, {
    label: 'Unfreeze everything',
    says: 'every tenant',
    notice: /Everything is unfrozen/,
    path: '/admin/unfreeze',
  })
  await banner.waitFor({ state: 'hidden' })
  await viewer.open('organizations/SYSTEM', 'It is in the state')
  await act(viewer, {
    label: 'Suspend sending',
    says: 'SYSTEM',
    notice: /Sending is suspended/,
    path: '/admin/lanes/suspend',
  })
  await act(viewer, {
    label: 'Resume sending',
    says: 'SYSTEM',
    notice: /Sending is resumed/,
    path: '/admin/lanes/resume',
  })
  await viewer.open(`accounts/${scene.payer.offchainId}`, 'Fee payer')
  await act(viewer, {
    label: 'Suspend lane',
    says: scene.payer.onchainId,
    notice: /The lane is suspended/,
    path: '/admin/lanes/suspend',
  })
  await act(viewer, {
    label: 'Resume lane',
    says: scene.payer.onchainId,
    notice: /The lane is resumed/,
    path: '/admin/lanes/resume',
  })
  expect(viewer.offences).toEqual([])
})

it('pauses an instrument on chain and unpauses it', async () => {
  await using viewer = await openViewer()
  await viewer.signIn()
  const isPaused = async (): Promise<boolean> => getPausableConfig(await chain.mint(scene.pausable.onchainId))!.paused
  await viewer.open(`instruments/${scene.pausable.offchainId}`, 'It is in the state')
  expect(await isPaused()).toBe(false)
  const expectDone = { notice: /The transaction is (?:confirmed|finalized)/ } as const
  await act(viewer, {
    ...expectDone,
    label: 'Pause instrument',
    says: 'for every holder',
    path: '/financial-instruments/pause',
  })
  await viewer.page.locator('.heading .badge', { hasText: 'paused' }).waitFor()
  expect(await isPaused()).toBe(true)
  await act(viewer, {
    ...expectDone,
    label: 'Unpause instrument',
    says: 'go on',
    path: '/financial-instruments/unpause',
  })
  await viewer.page.getByRole('button', { name: 'Pause instrument…', exact: true }).waitFor()
  expect(await isPaused()).toBe(false)
  expect(viewer.offences).toEqual([])
})

interface Answered {
  readonly newAccount: { readonly onchainId: string; readonly offchainId: string }
  readonly success?: boolean
  readonly errors?: readonly { readonly code: string }[]
}

it('freezes an organization, whose keys then sign nothing, and unfreezes it', async () => {
  const ask = (path: string, itemData: object, more?: object): Promise<Answered> =>
    read(path, itemData, scene.otherKey, more)
  const { newAccount: wallet } = await ask('/accounts', { canPayFees: true })
  await chain.airdrop(wallet.onchainId, SOL)
  await ask('/accounts/single/balance', { offchainId: wallet.offchainId })
  const { newAccount: destination } = await ask('/accounts', {})
  const feePayer = { offchainId: wallet.offchainId }
  const pay = (): Promise<Answered> =>
    ask(
      '/positions/transfer-network-currency',
      { source: feePayer, destination, lamports: '1000000' },
      { chainTransactionConfig: { feePayer } },
    )
  await using viewer = await openViewer()
  await viewer.signIn()
  await viewer.open(`organizations/${encodeURIComponent(OTHER_TENANT)}`, 'It is in the state')
  await act(viewer, {
    label: 'Freeze organization',
    says: OTHER_TENANT,
    notice: /The organization is frozen/,
    path: '/admin/freeze',
  })
  await viewer.page.locator('.machine-drawing .current[data-state="frozen"]').waitFor()
  expect((await pay()).errors).toMatchObject([{ code: 'FROZEN' }])
  expect(await chain.lamports(destination.onchainId)).toBe(0n)
  await act(viewer, {
    label: 'Unfreeze organization',
    says: 'signed with again',
    notice: /is unfrozen/,
    path: '/admin/unfreeze',
  })
  await viewer.page.locator('.machine-drawing .current[data-state="active"]').waitFor()
  expect(await pay()).toMatchObject({ success: true })
  expect(await chain.lamports(destination.onchainId)).toBe(1_000_000n)
  expect(viewer.offences).toEqual([])
})
