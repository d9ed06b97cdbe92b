import type { Command } from 'commander'
import type { CliIo } from '../cli-io.ts'

/**
 * `stithy api`. It takes all arguments unparsed: parsing needs the contracts, which other commands
 * should not have to load.
 */
export function addApiCommand(program: Command, io: CliIo): void {
  program
    .command('api')
    .description('Call the REST API (stithy api --help lists all resources)')
    .argument('[resource]')
    .argument('[action]')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .passThroughOptions()
    .action(async (_resource, _action, _options, command: Command) => {
      const { runApi } = await import('./run-api.ts')
      await runApi(program, command.args, io)
    })
}

/**
 * Adds the API commands if the arguments don't start with a built-in command: `stithy issues list`.
 */
export async function addNamedResource(
  program: Command,
  args: readonly string[],
  io: CliIo,
): Promise<void> {
  const [word, ...words] = args[0] === 'help' ? args.slice(1) : args
  if (word === undefined || word.startsWith('-')) return
  if (program.commands.some((command) => command.name() === word)) return
  const { addResourceCommands } = await import('./resource-commands.ts')
  await addResourceCommands(program, [word, ...words], io)
}
