import { runCommand } from './run-command.ts'

// Warnings about how libraries use each other are not for the operator.
process.noDeprecation = true
process.exitCode = await runCommand(process.argv.slice(2), process)
