import {
  type CallOptions,
  callEndpoint,
  createTransport,
  type DynamicInput,
  type Page,
  PagePromise,
} from '@stithy/client'
import type { EndpointSpec, Variants } from '@stithy/core'
import type { Option } from 'commander'
import { findConnection } from '../account/connection.ts'
import type { CliIo } from '../cli-io.ts'
import { streamJson, writeHumanReadable, writeJson } from '../output/write.ts'
import { chooseVariant } from './choose-variant.ts'
import type { ActionFlags } from './flags.ts'
import { type Given, readValue } from './values.ts'
import { writeRaw } from './write-raw.ts'

type Options = Readonly<Record<string, Given>>

/** The common options of one call. */
interface OutputOptions {
  json: boolean
  all: boolean
  output: string | undefined
}

/** Calls the endpoint that the options select, and writes the response. */
export async function runAction(
  variants: Variants,
  flags: ActionFlags,
  options: Options,
  io: CliIo,
): Promise<void> {
  const { json, all, output, url, token } = flags.common
  const wishes = {
    json: optionOf(options, json) === true,
    all: optionOf(options, all) === true,
    output: textOf(options, output),
  }
  const endpoint = chooseVariant(
    variants,
    flags.fields,
    ({ option }) => optionOf(options, option) !== undefined,
  )
  const connection = await findConnection(io, textOf(options, url), textOf(options, token))
  const transport = createTransport({ ...connection, userAgent: `stithy/${io.version}` })
  const input = await readInput(endpoint, flags, options, wishes, io)
  const { signal, release } = io.interruptible()
  try {
    const send = (callOptions: CallOptions) =>
      callEndpoint(transport, [endpoint], input, callOptions)
    // No time limit: the user can interrupt a slow response.
    await writeAnswer(send({ signal, timeout: 0 }), wishes, io, signal)
  } finally {
    release()
  }
}

function optionOf(options: Options, option: Option | undefined): Given | undefined {
  return option === undefined ? undefined : options[option.attributeName()]
}

function textOf(options: Options, option: Option | undefined): string | undefined {
  const value = optionOf(options, option)
  return typeof value === 'string' ? value : undefined
}

async function readInput(
  endpoint: EndpointSpec,
  { fields }: ActionFlags,
  options: Options,
  { all }: OutputOptions,
  { stdin }: CliIo,
): Promise<DynamicInput> {
  // Fewer, larger pages if all of them are requested.
  const input: Record<string, unknown> = endpoint.paginated && all ? { per_page: 100 } : {}
  for (const { fields: fieldsOf, option } of fields) {
    const field = fieldsOf.get(endpoint)
    const given = optionOf(options, option)
    if (field === undefined || given === undefined) continue
    input[field.name] = await readValue(field, option.long ?? '', given, stdin)
  }
  return input
}

async function writeAnswer(
  answer: Promise<unknown> | PagePromise<unknown>,
  { json, all, output }: OutputOptions,
  io: CliIo,
  signal: AbortSignal,
): Promise<void> {
  const { stdout, stderr } = io
  if (answer instanceof PagePromise) {
    if (all && json) return streamJson(stdout, answer)
    const page = all ? undefined : await answer
    const items = page?.items ?? (await collect(answer))
    if (json) return writeJson(stdout, items)
    await writeHumanReadable(io, items)
    stderr.write(page === undefined ? pageNote(items.length) : pageNote(items.length, page))
    return
  }
  const value = await answer
  if (value instanceof Response) return writeRaw(value, output, stdout, signal)
  if (json) return writeJson(stdout, value)
  await writeHumanReadable(io, value)
}

async function collect(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = []
  for await (const item of list) items.push(item)
  return items
}

/** A note for people that the list is empty, or that there are more pages. */
function pageNote(count: number, page?: Page<unknown>): string {
  if (count === 0) return 'Nothing found.\n'
  if (page === undefined || page.nextPage === null) return ''
  const where =
    page.totalPages === null ? `Page ${page.page}` : `Page ${page.page} of ${page.totalPages}`
  const total = page.total === null ? '' : `, ${page.total} in total`
  return `${where}${total}; --page ${page.nextPage} shows the next, --all everything.\n`
}
