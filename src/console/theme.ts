// Light or dark: as the system has it, until somebody says otherwise. That choice is all that outlasts the tab.

export type Theme = 'light' | 'dark'

const STORED = 'holdfast.theme'

export function theme(): Theme {
  const chosen = localStorage.getItem(STORED)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function applyTheme(): void {
  const chosen = localStorage.getItem(STORED)
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen
}

export function turnTheme(): void {
  localStorage.setItem(STORED, theme() === 'dark' ? 'light' : 'dark')
  applyTheme()
}
