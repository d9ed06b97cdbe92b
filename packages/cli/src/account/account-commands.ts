import type { Command } from 'commander'
import type { CliIo } from '../cli-io.ts'
import type { AccountOptions } from './account-actions.ts'

type ActionName = 'login' | 'logout' | 'whoami'

/** `stithy login`, `stithy logout` and `stithy whoami`. */
export function addAccountCommands(program: Command, io: CliIo): void {
  addCommand(program, io, 'login', 'Sign in to a server and keep its token')
    .option(
      '--token <token>',
      'personal access token; asked for, or read from the input, when left out',
    )
    .addHelpText('after', '\nThe token is kept in config.toml, which only you can read.')
  addCommand(program, io, 'logout', 'Forget the token of a server')
  addCommand(program, io, 'whoami', 'Show the server and the user that are used').option(
    '--token <token>',
    'token to call it with; others may see it in a list of processes',
  )
}

function addCommand(program: Command, io: CliIo, name: ActionName, text: string): Command {
  return program
    .command(name)
    .description(text)
    .option('--url <address>', 'address of the server')
    .option('--json', 'write JSON, also for errors')
    .action(async (options: AccountOptions) => {
      const actions = await import('./account-actions.ts')
      await actions[name](options, io)
    })
}
