// The root component: the sign-in page until a session exists, then the console.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { whoIs } from './api.ts'
import { Frame } from './frame.tsx'
import { begin, current, end, storedKey, watchSession } from './session.ts'
import { SignIn } from './pages/sign-in.tsx'

export function App(): VNode {
  const [, redraw] = useState({})
  const [resuming, setResuming] = useState(storedKey() !== null)
  useEffect(() => watchSession(() => redraw({})), [])
  useEffect(() => {
    const key = storedKey()
    if (key === null) return
    whoIs(key)
      .then((identity) => begin(key, identity))
      .catch(() => end())
      .finally(() => setResuming(false))
  }, [])
  const session = current()
  if (session !== null) return <Frame session={session} />
  return resuming ? <main aria-busy="true" /> : <SignIn />
}
