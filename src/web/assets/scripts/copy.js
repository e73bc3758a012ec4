// Tokens, links, ids and boxes of code get a button that copies them. Without this, a click selects them.
{
  const all = navigator.clipboard ? document.querySelectorAll('[data-copy], .code-box > pre') : []
  const said = document.createElement('p')
  said.className = 'visually-hidden'
  said.setAttribute('aria-live', 'polite')
  if (all.length > 0) document.querySelector('main').append(said)
  for (const one of all) {
    const button = document.createElement('button')
    const label = document.createElement('span')
    const name = document.createElement('span')
    button.type = 'button'
    button.className = 'copy'
    label.textContent = 'Copy'
    name.className = 'visually-hidden'
    // What a list has several of is called by itself.
    const term = one.closest('dd')?.previousElementSibling ?? (one.closest('.row') && one)
    name.textContent = ` ${one.getAttribute('aria-label') ?? term?.textContent ?? ''}`.trimEnd()
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
        await navigator.clipboard.writeText(one.textContent)
        show('Copied')
      } catch {
        // The browser does not let the page copy: the visitor can, with the keyboard.
        getSelection().selectAllChildren(one)
        show('Selected')
      }
    })
    const box = one.closest('.code-box')
    if (box) box.querySelector('figcaption').append(button)
    else one.after(' ', button)
  }
}
