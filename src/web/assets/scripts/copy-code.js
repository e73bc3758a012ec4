// Each box of code gets a button that copies it. Without this, the text is selected by hand.
{
  const boxes = navigator.clipboard ? document.querySelectorAll('.code-box:has(figcaption)') : []
  const said = document.createElement('p')
  said.className = 'visually-hidden'
  said.setAttribute('role', 'status')
  if (boxes.length > 0) document.querySelector('main').append(said)
  for (const box of boxes) {
    const code = box.querySelector('pre')
    const button = document.createElement('button')
    const label = document.createElement('span')
    const name = document.createElement('span')
    button.type = 'button'
    button.className = 'copy'
    label.textContent = 'Copy'
    name.className = 'visually-hidden'
    name.textContent = ` ${code.getAttribute('aria-label')}`
    button.append(label, name)
    let shown
    const show = (text) => {
      clearTimeout(shown)
      label.textContent = said.textContent = text
      shown = setTimeout(() => {
        label.textContent = 'Copy'
        said.textContent = ''
      }, 2000)
    }
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent)
        show('Copied')
      } catch {
        // The browser does not let the page copy: the visitor can, with the keyboard.
        getSelection().selectAllChildren(code)
        show('Selected')
      }
    })
    box.querySelector('figcaption').append(button)
  }
}
