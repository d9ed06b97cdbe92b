import type { EndpointSpec, Variants } from '@stithy/core'
import { Option } from 'commander'
import { type Field, fieldsOf } from './field.ts'
import { flagOf } from './field-flag.ts'
import { describeField } from './variant-help.ts'

/** A parameter with its option. */
export interface FieldFlag {
  name: string
  option: Option
  /** The parameter of each endpoint that has it. */
  fields: ReadonlyMap<EndpointSpec, Field>
}

/** The common options of an action, by their unprefixed names. */
interface CommonFlags {
  json: Option
  url: Option
  token: Option
  /** For lists only. */
  all?: Option
  /** For raw responses only. */
  output?: Option
}

export interface ActionFlags {
  fields: readonly FieldFlag[]
  common: CommonFlags
}

/**
 * All options of the endpoints with a name. A parameter takes precedence over a common option with
 * the same name, which is renamed.
 */
export function flagsOf(variants: Variants): ActionFlags {
  const [{ paginated, kind }] = variants
  const fields = fieldFlags(variants)
  const taken = new Set(fields.map(({ option }) => option.long))
  const common = (name: string, value: string, text: string) => {
    const flag = taken.has(`--${name}`) ? `--stithy-${name}` : `--${name}`
    return new Option(value === '' ? flag : `${flag} ${value}`, text)
  }
  return {
    fields,
    common: {
      ...(paginated ? { all: common('all', '', 'fetch all pages') } : {}),
      ...(kind === 'raw'
        ? { output: common('output', '<file>', 'write the bytes to a file') }
        : {}),
      json: common('json', '', 'write JSON, also for errors'),
      url: common('url', '<address>', 'address of the server'),
      token: common(
        'token',
        '<token>',
        'token to call it with; others may see it in a list of processes',
      ),
    },
  }
}

function fieldFlags(variants: Variants): FieldFlag[] {
  const byName = new Map<string, Map<EndpointSpec, Field>>()
  for (const endpoint of variants) {
    for (const field of fieldsOf(endpoint)) {
      const fields = byName.get(field.name) ?? new Map<EndpointSpec, Field>()
      byName.set(field.name, fields.set(endpoint, field))
    }
  }
  return Array.from(byName, ([name, fields]) => ({
    name,
    option: fieldOption(variants, fields),
    fields,
  })).sort((one, other) => rankOf(variants, one) - rankOf(variants, other))
}

/** Parents first, then other path parameters. */
function rankOf(variants: Variants, { fields }: FieldFlag): number {
  if (![...fields.values()].some(({ inPath }) => inPath)) return 2
  return fields.size < variants.length ? 0 : 1
}

function fieldOption(variants: Variants, fields: ReadonlyMap<EndpointSpec, Field>): Option {
  const [field] = fields.values()
  if (field === undefined) throw new RangeError('A flag belongs to an endpoint')
  const option = new Option(
    `${flagOf(field)} ${placeholder(field)}`,
    describeField(variants, fields),
  )
  const repeats = field.kind === 'list' || field.kind === 'map'
  return repeats ? option.argParser(append) : option
}

function append(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value]
}

function placeholder({ kind, item }: Field): string {
  if (kind === 'boolean') return '[boolean]'
  if (kind === 'map') return '<key=value>'
  return `<${kind === 'list' ? item : kind}>`
}
