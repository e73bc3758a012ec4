// Menus close by Escape and by a click elsewhere. Without this, they close by a click on their name.
{
  const openMenus = () => document.querySelectorAll('details.menu[open]')
  document.addEventListener('click', (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const menu of openMenus()) {
      if (menu.contains(document.activeElement)) menu.querySelector('summary').focus()
      menu.open = false
    }
  })
}
