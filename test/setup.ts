// The same random cases in every run: what fails, fails again, and a change is judged by what it changes. To look
// further, set another seed here, or none.
import fc from 'fast-check'
import { afterAll } from 'vitest'
import { endFile } from './cleanup.ts'
import './native-signatures.ts'

fc.configureGlobal({ seed: 20261121 })
afterAll(endFile)
