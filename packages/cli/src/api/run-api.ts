import { Command } from 'commander'
import type { CliIo } from '../cli-io.ts'
import { addRawCall } from './raw-call.ts'
import { addResourceCommands } from './resource-commands.ts'

/** Runs `stithy api` with its arguments: a path, or a resource and an action. */
export async function runApi(program: Command, args: readonly string[], io: CliIo): Promise<void> {
  const api = new Command('api').copyInheritedSettings(program)
  // The parent is used only in the usage line.
  api.parent = program
  const [word] = leadingWords(args)
  const named = word === undefined ? args.find((arg) => arg.startsWith('/')) : word
  if (named?.startsWith('/')) addRawCall(api, io)
  else {
    api.description('Call any endpoint of the REST API, by its name or by its path')
    api.usage('<resource> <action> [options]\n       stithy api <path> [options]')
    await addResourceCommands(api, leadingWords(args), io)
  }
  await api.parseAsync([...args], { from: 'user' })
}

/** The arguments before the first option. */
function leadingWords(args: readonly string[]): string[] {
  const end = args.findIndex((arg) => arg.startsWith('-'))
  return end === -1 ? [...args] : args.slice(0, end)
}
