// The sign-in page. The API key is sent to the service in a header only.
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { RequestRefused, whoIs } from '../api.ts'
import { begin, sessionEndText } from '../session.ts'
import { Mark } from '../mark.tsx'

export function SignIn(): VNode {
  const [problem, setProblem] = useState(sessionEndText())
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = 'Sign in · Holdfast console'
    field.current?.focus()
  }, [])

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const key = field.current?.value.trim() ?? ''
    if (key === '' || busy) return
    setBusy(true)
    setProblem('')
    try {
      begin(key, await whoIs(key))
    } catch (error) {
      setProblem(wordsFor(error))
      setBusy(false)
      field.current?.select()
    }
  }

  return (
    <main class="sign-in">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <h1>
          <Mark /> Holdfast console
        </h1>
        <label for="key">API key</label>
        <input
          id="key"
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          aria-describedby="key-note key-problem"
        />
        <p id="key-problem" class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </button>
        <p id="key-note" class="quiet small">
          The key stays in this tab and is forgotten when you sign out or close it. You see and do here what its roles
          allow.
        </p>
        <p class="quiet small">
          <a href="/docs">Documentation</a>
        </p>
      </form>
    </main>
  )
}

function wordsFor(error: unknown): string {
  if (!(error instanceof RequestRefused)) return 'Something went wrong in this page.'
  if (error.status === 401) return 'This API key is not valid.'
  if (error.status === 0) return 'The service does not answer.'
  return error.problems[0]?.message ?? `The service refused with status ${error.status}.`
}
