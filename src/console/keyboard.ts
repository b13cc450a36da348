// Keyboard shortcuts, which work wherever the focus is not in an input.
import { go, href } from './route.ts'

const GO: Readonly<Record<string, readonly string[]>> = {
  o: [],
  t: ['transactions'],
  a: ['accounts'],
  p: ['positions'],
  i: ['instruments'],
  l: ['loans'],
  e: ['events'],
}
const CHORD_MS = 1_500

export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['/', 'to the filter of a list'],
  ['[ ]', 'previous, next page of a list'],
  ['↑ ↓', 'from row to row of a list'],
  ['g then o t a p i l e', 'to the overview, transactions, accounts, positions, instruments, loans, events'],
  ['?', 'this help'],
]

export function watchKeys(): () => void {
  let chordUntil = 0
  const pressed = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, select, textarea, dialog') !== null)
      return
    const { key } = event
    const to = performance.now() < chordUntil ? GO[key] : undefined
    chordUntil = key === 'g' ? performance.now() + CHORD_MS : 0
    if (to !== undefined) go(href(...to))
    else if (key === '/') document.querySelector<HTMLElement>('[data-key="filter"]')?.focus()
    else if (key === '[') document.querySelector<HTMLButtonElement>('[data-key="previous"]')?.click()
    else if (key === ']') document.querySelector<HTMLButtonElement>('[data-key="next"]')?.click()
    else if (key === '?') document.querySelector<HTMLDialogElement>('#help')?.showModal()
    else if (key === 'ArrowDown' || key === 'ArrowUp') step(target, key === 'ArrowDown' ? 1 : -1, event)
    else return
    if (key !== 'g' && !key.startsWith('Arrow')) event.preventDefault()
  }
  addEventListener('keydown', pressed)
  return () => removeEventListener('keydown', pressed)
}

function step(target: HTMLElement, by: number, event: KeyboardEvent): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-key="row"]')]
  const here = rows.indexOf(target)
  if (here < 0) return
  event.preventDefault()
  rows[Math.max(0, Math.min(rows.length - 1, here + by))]?.focus()
}
