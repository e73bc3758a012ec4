// A list whose entries can be chosen gets a box that chooses all of them. Without this, each is chosen by itself.
for (const bar of document.querySelectorAll('.bulk-bar')) {
  const boxes = [...bar.parentElement.querySelectorAll('[name=id]')]
  if (boxes.length < 2) continue
  const label = document.createElement('label')
  const all = document.createElement('input')
  const text = document.createElement('span')
  label.className = 'check'
  all.type = 'checkbox'
  all.autocomplete = 'off'
  text.textContent = 'Select all on this page'
  label.append(all, text)
  const show = () => {
    const count = boxes.filter((box) => box.checked).length
    all.checked = count === boxes.length
    all.indeterminate = count > 0 && !all.checked
  }
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
  })
  for (const box of boxes) box.addEventListener('change', show)
  addEventListener('pageshow', show)
  bar.prepend(label)
}
