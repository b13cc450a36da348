// The same random cases in every run: what fails, fails again, and a change is judged by what it changes. To look further, set another
// seed here, or none.
import fc from 'fast-check'

fc.configureGlobal({ seed: 20261121 })
