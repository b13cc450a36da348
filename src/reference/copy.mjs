// Adds a button to each code block of a documentation page that copies the whole block.
const SHOWN_MS = 2_000

for (const block of document.querySelectorAll('.code')) {
  const code = block.querySelector('code')
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-live', 'polite')
  button.addEventListener('click', async () => {
    button.textContent = await copied(code).then(
      () => 'Copied',
      () => 'Selected',
    )
    setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS)
  })
  block.prepend(button)
}

/**
 * Rejects where the browser has no clipboard for this page (plain http beyond loopback); the block is selected then.
 */
async function copied(code) {
  getSelection().selectAllChildren(code)
  await navigator.clipboard.writeText(code.textContent)
  getSelection().removeAllRanges()
}
