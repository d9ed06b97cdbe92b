import { Command } from 'commander'
import { addAccountCommands } from './account/account-commands.ts'
import { addApiCommand } from './api/api-command.ts'
import type { CliIo } from './cli-io.ts'

/** Builds the `stithy` program with the commands that use a server; others may be added to it. */
export function buildProgram(io: CliIo): Command {
  const program = new Command('stithy')
    .description('Source-code hosting and collaboration in one small, fast process')
    .version(io.version)
    // Options after a command belong to the command.
    .enablePositionalOptions()
    .showSuggestionAfterError()
  attachIo(program, io)
  addAccountCommands(program, io)
  addApiCommand(program, io)
  return program.addHelpText('after', environmentHelp)
}

const environmentHelp = `
The REST API:
  stithy <resource> <action> [options]   stithy issues list --project group/app
  stithy <resource> --help               what can be done with a resource
  stithy api --help                      all resources

Environment:
  STITHY_URL         address of the server; before what login has kept
  STITHY_TOKEN       token to call it with; before what login has kept
  STITHY_CONFIG_DIR  folder of config.toml, where login keeps both

Exit status:
  0 done, 1 failed, 2 wrong usage, 3 not signed in (401), 4 not found (404),
  5 not allowed (403), 6 no answer from the server, 130 interrupted`

/** Makes a command and its subcommands write to the given streams, and throw instead of exiting. */
export function attachIo(command: Command, io: CliIo): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
    // `runProgram` writes the errors.
    outputError: () => {},
    getOutHelpWidth: () => io.stdout.columns ?? 80,
    getErrHelpWidth: () => io.stderr.columns ?? 80,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  })
  for (const inner of command.commands) attachIo(inner, io)
}
