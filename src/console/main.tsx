// The entry point of the console: renders the root component into the page.
import { render } from 'preact'
import { App } from './app.tsx'
import { applyTheme } from './theme.ts'

applyTheme()
render(<App />, document.getElementById('console')!)
