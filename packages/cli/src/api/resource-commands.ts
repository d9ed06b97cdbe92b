import { compareActions, endpointsByName, resourceTitle, type Variants } from '@stithy/core'
import type { Command } from 'commander'
import type { CliIo } from '../cli-io.ts'
import { kebabCase } from './field-flag.ts'
import { type FieldFlag, flagsOf } from './flags.ts'
import { runAction } from './run-action.ts'
import { describeVariants, summaryOf } from './variant-help.ts'

/** The endpoints with a common name, and the rest of that name below the current command. */
interface NamedVariants {
  name: string
  segments: readonly string[]
  variants: Variants
}

/**
 * Adds a command for every resource of the API, with subcommands for nested resources. Only the
 * commands on the command line get their options.
 */
export async function addResourceCommands(
  program: Command,
  words: readonly string[],
  io: CliIo,
): Promise<void> {
  const registry = await io.loadRegistry()
  const names = Array.from(endpointsByName(registry), ([name, variants]) => ({
    name,
    segments: name.split('.'),
    variants,
  }))
  addMembers(program, names, words, io)
}

function addMembers(
  parent: Command,
  names: readonly NamedVariants[],
  [word, ...words]: readonly string[],
  io: CliIo,
): void {
  const members = Map.groupBy(names, ({ segments }) => segments[0] ?? '')
  for (const segment of [...members.keys()].sort(compareActions)) {
    const nested = members.get(segment) ?? []
    const [first] = nested
    if (first === undefined) continue
    const command = parent.command(kebabCase(segment))
    const isChosen = command.name() === word
    if (first.segments.length === 1) addAction(command, first.variants, isChosen, io)
    else addResource(command, nested, isChosen ? words : undefined, io)
  }
}

function addResource(
  command: Command,
  names: readonly NamedVariants[],
  words: readonly string[] | undefined,
  io: CliIo,
): void {
  const below = names.map((named) => ({ ...named, segments: named.segments.slice(1) }))
  const actions = [...new Set(below.map(({ segments }) => segments[0] ?? ''))].sort(compareActions)
  command.helpGroup('Resources:').summary(actions.map(kebabCase).join(', '))
  command.usage('<action> [options]').helpCommand(false)
  if (words === undefined) return
  const direct = below.find(({ segments }) => segments.length === 1)
  command.description(direct === undefined ? command.summary() : resourceTitle(direct.name))
  addMembers(command, below, words, io)
}

/** Adds an action; it gets its options only if it is the chosen one. */
function addAction(command: Command, variants: Variants, isChosen: boolean, io: CliIo): void {
  command.summary(summaryOf(variants)).helpGroup('Actions:')
  if (!isChosen) return
  const flags = flagsOf(variants)
  command.description(describeVariants(variants)).allowExcessArguments(false)
  for (const { option } of flags.fields) command.addOption(option)
  for (const option of Object.values(flags.common)) command.addOption(option)
  command.addHelpText('after', notes(flags.fields))
  command.action(() => runAction(variants, flags, command.opts(), io))
}

function notes(flags: readonly FieldFlag[]): string {
  const fields = flags.flatMap(({ fields }) => [...fields.values()])
  const kinds = new Set(fields.flatMap(({ kind, item }) => [kind, item]))
  return kinds.has('text') || kinds.has('json')
    ? '\nText may be read from a file (@file) or the input (@-); @@ is for text that begins with @.'
    : ''
}
