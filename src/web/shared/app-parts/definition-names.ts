import type {
  SettingsConfiguration,
  SettingsProfile,
} from '../../../marketplace/apps/settings/definitions.ts'

/** What a definition calls its purchase options and settings; what it does not know keeps its id. */
export type DefinitionNames = {
  option: (id: string) => string
  setting: (key: string) => string
}

type NamedVersion = {
  settings: SettingsConfiguration
  purchaseOptions: readonly { id: string; name: string }[]
}

/**
 * The names of an installation's options and settings.
 *
 * @param profile the settings of its purchase option, whose names come first
 * @param versions of its app, the one whose names count most first
 */
export function definitionNames(
  profile: SettingsProfile,
  versions: readonly NamedVersion[],
): DefinitionNames {
  const options = new Map<string, string>()
  const settings = new Map<string, string>()
  const add = (names: Map<string, string>, id: string, name: string) => {
    if (!names.has(id)) names.set(id, name)
  }
  const profiles = [profile, ...versions.flatMap((version) => Object.values(version.settings))]
  for (const one of profiles) {
    for (const [key, { name }] of Object.entries(one)) add(settings, key, name)
  }
  for (const { purchaseOptions } of versions) {
    for (const { id, name } of purchaseOptions) add(options, id, name)
  }
  return {
    option: (id) => options.get(id) ?? id,
    setting: (key) => settings.get(key) ?? key,
  }
}
