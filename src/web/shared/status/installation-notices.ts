/** What a page says after a change of an installation, by the name of its app. */
export const INSTALLATION_NOTICES = {
  installed: (app: string) => `${app} was installed.`,
  settings: (app: string) => `The settings of ${app} were saved.`,
  option: (app: string) => `The purchase option of ${app} was changed.`,
  upgraded: (app: string) => `${app} was upgraded.`,
  uninstalled: (app: string) => `${app} was uninstalled. It no longer has access to your data.`,
} as const
