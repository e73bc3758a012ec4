/** What is said of what has just been done. */
export const INSTALLED_DONE = {
  installed: 'The app is installed.',
  settings: 'The settings are saved.',
  option: 'The purchase option is changed.',
  upgraded: 'The app is upgraded.',
  uninstalled: 'The app is uninstalled. It has no access to your data any more.',
} as const
