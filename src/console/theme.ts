// The theme, light or dark: that of the system until the operator chooses one. Only this choice outlasts the tab.

export type Theme = 'light' | 'dark'

const STORED = 'holdfast.theme'

const dark = matchMedia('(prefers-color-scheme: dark)')

export function theme(): Theme {
  const chosen = localStorage.getItem(STORED)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return dark.matches ? 'dark' : 'light'
}

/** Calls the listener when the system theme changes, until the returned function is called. */
export function onSystemTheme(changed: () => void): () => void {
  dark.addEventListener('change', changed)
  return () => dark.removeEventListener('change', changed)
}

export function applyTheme(): void {
  const chosen = localStorage.getItem(STORED)
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen
}

export function turnTheme(): void {
  localStorage.setItem(STORED, theme() === 'dark' ? 'light' : 'dark')
  applyTheme()
}
