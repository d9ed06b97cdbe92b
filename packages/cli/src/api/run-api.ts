import type { EndpointSpec } from '@stithy/core'
import { Command } from 'commander'
import type { CliIo } from '../cli-io.ts'
import { type FieldFlag, flagsOf, kebab } from './flags.ts'
import { runAction } from './run-action.ts'

/** Builds the commands that the arguments name, and runs them. */
export async function runApi(program: Command, args: readonly string[], io: CliIo): Promise<void> {
  const registry = await io.loadRegistry()
  const api = new Command('api').copyInheritedSettings(program)
  api.description('Call any endpoint of the REST API').usage('<resource> <action> [options]')
  // The parent is only named in the usage line.
  api.parent = program
  const [resourceWord, actionWord] = args.filter((arg) => !arg.startsWith('-'))
  for (const [resource, contract] of Object.entries(registry)) {
    const actions = Object.entries(contract)
    const summary = actions.map(([action]) => kebab(action)).join(', ')
    const command = api.command(kebab(resource)).description(summary).usage('<action> [options]')
    if (command.name() !== resourceWord) continue
    command.description(actions[0]?.[1].docs.tag ?? resource)
    for (const [action, endpoint] of actions) addAction(command, action, endpoint, actionWord, io)
  }
  await api.parseAsync([...args], { from: 'user' })
}

/** An action has its options only where it is the one that was asked for. */
function addAction(
  resource: Command,
  action: string,
  endpoint: EndpointSpec,
  actionWord: string | undefined,
  io: CliIo,
): void {
  const command = resource.command(kebab(action)).summary(endpoint.docs.summary)
  if (command.name() !== actionWord) return
  const flags = flagsOf(endpoint)
  command.description(describe(endpoint)).allowExcessArguments(false)
  for (const { option } of flags.fields) command.addOption(option)
  for (const option of Object.values(flags.common)) command.addOption(option)
  command.addHelpText('after', notes(flags.fields))
  command.action(() => runAction(endpoint, flags, command.opts(), io))
}

function describe({ docs, method, path, tier }: EndpointSpec): string {
  const paid = tier === undefined ? '' : ` (${tier})`
  return [docs.summary, docs.description, `${method} /api/v4${path}${paid}`]
    .filter((text) => text !== undefined)
    .join('\n\n')
}

function notes(fields: readonly FieldFlag[]): string {
  const kinds = new Set(fields.flatMap(({ field }) => [field.kind, field.item]))
  return kinds.has('text') || kinds.has('json')
    ? '\nText may be read from a file (@file) or the input (@-); @@ stands for an @ at its beginning.'
    : ''
}
