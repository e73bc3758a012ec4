// The text of a definition gets line numbers and colours, and marks where it has problems.
{
  const text = document.getElementById('definition')
  if (text !== null) numberLines(text)

  function numberLines(text) {
    const gutter = document.createElement('div')
    const list = document.createElement('ol')
    gutter.className = 'line-numbers'
    gutter.setAttribute('aria-hidden', 'true')
    gutter.append(list)
    // The text itself stays where it is: somebody may be typing already.
    text.before(gutter)
    const layer = colourLayer(text)

    const links = [...document.querySelectorAll('a[data-line]')]
    const wrong = new Set(links.map((link) => Number(link.dataset.line)))
    const checked = text.defaultValue

    function number() {
      const count = text.value.split('\n').length
      while (list.children.length > count) list.lastChild.remove()
      while (list.children.length < count) {
        const item = document.createElement('li')
        item.textContent = String(list.children.length + 1)
        list.append(item)
      }
      // Lines that moved since the check are not marked any more.
      const isSame = text.value === checked
      for (const line of wrong) list.children[line - 1]?.classList.toggle('wrong', isSame)
      layer?.colour()
      follow()
    }

    function follow() {
      list.style.transform = `translateY(${-text.scrollTop}px)`
      layer?.follow()
    }

    text.addEventListener('input', number)
    text.addEventListener('scroll', follow, { passive: true })
    number()

    for (const link of links) {
      link.addEventListener('click', (event) => {
        event.preventDefault()
        const lines = text.value.split('\n')
        const line = Number(link.dataset.line)
        const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
        text.focus()
        text.setSelectionRange(start, start + (lines[line - 1] ?? '').length)
        text.scrollTop = (text.scrollHeight / lines.length) * Math.max(0, line - 4)
        text.scrollLeft = 0
        text.scrollIntoView({ block: 'nearest' })
      })
    }
  }

  // The same text under the field, whose own letters are transparent then: colours are ranges of it.
  function colourLayer(text) {
    if (!globalThis.CSS?.highlights) return undefined
    const layer = document.createElement('pre')
    layer.className = 'colours'
    layer.setAttribute('aria-hidden', 'true')
    text.before(layer)
    const kinds = ['json-key', 'json-string', 'json-literal']
    const all = kinds.map(() => new Highlight())
    for (const [index, kind] of kinds.entries()) CSS.highlights.set(kind, all[index])
    return {
      colour() {
        const node = document.createTextNode(`${text.value}\n`)
        layer.replaceChildren(node)
        for (const one of all) one.clear()
        for (const { 0: whole, 1: string, 2: colon, index } of text.value.matchAll(
          /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g,
        )) {
          const range = new StaticRange({
            startContainer: node,
            startOffset: index,
            endContainer: node,
            endOffset: index + (string ?? whole).length,
          })
          all[string === undefined ? 2 : colon === undefined ? 1 : 0].add(range)
        }
      },
      follow() {
        layer.scrollTop = text.scrollTop
        layer.scrollLeft = text.scrollLeft
      },
    }
  }
}
