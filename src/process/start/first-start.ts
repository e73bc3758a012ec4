import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { firstOperatorHint } from '../../identity/people/command-invitation-service.ts'
import { demoBanner } from '../demo/demo-file.ts'
import { createDemo } from '../demo/demo-service.ts'
import { moveReceiver } from '../demo/receiver-service.ts'
import { demoFile, readDemo, saveDemo } from './data-dir.ts'
import type { Runtime } from './runtime.ts'

/** Makes the demo marketplace at the first start; says how to try it at every start. */
export async function prepareDemo(config: Config, { deps }: Runtime): Promise<string | undefined> {
  if (!config.demo) return hintUnlessFailing(deps)
  const save = (demo: Parameters<typeof saveDemo>[1]) => saveDemo(config.dataDir, demo)
  let demo = await createDemo(deps, save)
  if (demo === undefined) {
    demo = await readDemo(config.dataDir)
    if (demo === undefined) return `\nApp Marketplace is ready at ${config.publicUrl}\n`
    if (demo.baseUrl !== config.publicUrl) {
      await moveReceiver(deps, demo)
      demo = { ...demo, baseUrl: config.publicUrl }
      await save(demo)
    }
  }
  return demoBanner(demo, demoFile(config.dataDir))
}

/** A hint is no reason not to start. */
async function hintUnlessFailing(deps: Deps): Promise<string | undefined> {
  try {
    return await firstOperatorHint(deps)
  } catch (error) {
    deps.log.warn({ err: error }, 'could not look whether the marketplace has an operator')
    return undefined
  }
}
