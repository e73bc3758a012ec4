#!/usr/bin/env node
import { existsSync } from 'node:fs'

// A checkout of the repository has the source, which may be newer than what was built from it last.
// The package has only what was built, which older releases of Node run, too.
if (existsSync(new URL('./src/command-line/main.ts', import.meta.url))) {
  await import('./src/command-line/main.ts')
} else {
  await import('./dist/command-line/main.js')
}
