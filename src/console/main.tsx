// Where the console begins: the page is handed to the program.
import { render } from 'preact'

render(
  <main>
    <h1>Holdfast</h1>
  </main>,
  document.getElementById('console')!,
)
