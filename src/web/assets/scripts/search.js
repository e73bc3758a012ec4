// `/` and Ctrl+K or Cmd+K lead to the search, but not from a field, nor from the API reference, which has
// a search of its own. Without this, the link of the header does.
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event
  const isSlash = key === '/' && !ctrlKey && !metaKey
  const isCtrlK = key.toLowerCase() === 'k' && ctrlKey !== metaKey
  if (event.defaultPrevented || altKey || !(isSlash || isCtrlK)) return
  const link = document.querySelector('body:not(:has(#reference)) .search-link')
  if (!link || target.isContentEditable || target.closest?.('input, textarea, select')) return
  event.preventDefault()
  const field = document.querySelector('form[action="/Search"] [name=q]')
  if (field) field.select()
  else location.assign(link.href)
})
