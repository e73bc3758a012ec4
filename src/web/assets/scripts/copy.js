// Buttons copy the text of the field that they name. Without this, it is selected by hand.
{
  for (const button of document.querySelectorAll('button[data-copy]')) {
    const field = document.getElementById(button.dataset.copy)
    const said = document.createElement('span')
    said.setAttribute('role', 'status')
    button.parentElement.append(said)
    button.hidden = false
    button.addEventListener('click', async () => {
      field.select()
      try {
        // Not there where the page is served without TLS.
        await navigator.clipboard.writeText(field.value)
        said.textContent = 'Copied'
      } catch {
        said.textContent = 'Selected. Copy it with the keyboard.'
      }
    })
  }
}
