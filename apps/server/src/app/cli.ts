import { buildProgram, processIo, runProgram } from '@stithy/cli'
import { version } from '../platform/version.ts'
import { addAdminCommands, addIndexCommand } from './admin/admin-commands.ts'
import { addServeCommand, addWorkerCommand } from './serve/serve-command.ts'

/** The `stithy` program: the client's commands, the server, and the administration commands. */
export async function runCli(args: readonly string[]): Promise<number> {
  const io = processIo(version)
  const program = buildProgram(io)
  addServeCommand(program)
  addWorkerCommand(program)
  addAdminCommands(program)
  addIndexCommand(program)
  return runProgram(program, args, io)
}
