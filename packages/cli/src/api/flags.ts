import type { EndpointSpec } from '@stithy/core'
import { Option } from 'commander'
import { type Field, fieldsOf } from './field.ts'

/** `perPage`, `per_page` → `per-page`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (char) => `-${char.toLowerCase()}`).replaceAll('_', '-')
}

/** A parameter with the option that gives it. */
export interface FieldFlag {
  field: Field
  option: Option
}

/** The options of an action that are not its endpoint's parameters, by their plain names. */
interface CommonFlags {
  json: Option
  url: Option
  token: Option
  /** Lists only. */
  all?: Option
  /** Raw answers only. */
  output?: Option
}

export interface ActionFlags {
  fields: readonly FieldFlag[]
  common: CommonFlags
}

/** All options of one endpoint. Where a parameter has the name of a common option, that one yields. */
export function flagsOf(endpoint: EndpointSpec): ActionFlags {
  const fields = fieldsOf(endpoint).map((field) => ({ field, option: fieldOption(field) }))
  const taken = new Set(fields.map(({ option }) => option.long))
  const common = (name: string, value: string, text: string) => {
    const flag = taken.has(`--${name}`) ? `--stithy-${name}` : `--${name}`
    return new Option(value === '' ? flag : `${flag} ${value}`, text)
  }
  return {
    fields,
    common: {
      ...(endpoint.paginated ? { all: common('all', '', 'fetch all pages') } : {}),
      ...(endpoint.kind === 'raw'
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

function fieldOption(field: Field): Option {
  const flag = `--${kebab(field.name)}`
  const option = new Option(`${flag} ${placeholder(field)}`, describe(field))
  if (field.required) option.makeOptionMandatory()
  const repeats = field.kind === 'list' || field.kind === 'map'
  return repeats ? option.argParser(append) : option
}

function append(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value]
}

function describe({ required, hint }: Field): string {
  return required ? `${hint} (required)` : hint
}

function placeholder({ kind, item }: Field): string {
  if (kind === 'boolean') return '[boolean]'
  if (kind === 'map') return '<key=value>'
  return `<${kind === 'list' ? item : kind}>`
}
