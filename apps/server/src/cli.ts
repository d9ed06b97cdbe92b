import { buildProgram, processIo, runProgram } from '@stithy/cli'
import { addAdminCommands } from './admin/admin-commands.ts'
import { addServeCommand } from './serve/serve-command.ts'
import { version } from './version/version.ts'

/** The whole `stithy` program: the client's commands, the server, and what needs the data folder. */
export async function runCli(args: readonly string[]): Promise<number> {
  const io = processIo(version)
  const program = buildProgram(io)
  addServeCommand(program)
  addAdminCommands(program)
  return runProgram(program, args, io)
}
