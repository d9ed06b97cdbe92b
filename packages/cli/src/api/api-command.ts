import type { Command } from 'commander'
import type { CliIo } from '../cli-io.ts'

/**
 * `stithy api <resource> <action>`. It takes all arguments unread: what they mean is known only once the
 * contracts are loaded, which other commands should not have to wait for.
 */
export function addApiCommand(program: Command, io: CliIo): void {
  program
    .command('api')
    .description('Call any endpoint of the REST API (stithy api --help lists them)')
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
