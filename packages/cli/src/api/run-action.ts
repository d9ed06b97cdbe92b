import {
  type CallOptions,
  callEndpoint,
  createTransport,
  type DynamicInput,
  type Page,
  PagePromise,
} from '@stithy/client'
import type { EndpointSpec } from '@stithy/core'
import type { Option } from 'commander'
import { findConnection } from '../account/connection.ts'
import type { CliIo } from '../cli-io.ts'
import { streamJson, writeForPeople, writeJson } from '../output/write.ts'
import type { ActionFlags } from './flags.ts'
import { type Given, readValue } from './values.ts'
import { writeRaw } from './write-raw.ts'

type Options = Readonly<Record<string, Given>>

/** What the common options of one call say. */
interface Wishes {
  json: boolean
  all: boolean
  output: string | undefined
}

/** Calls an endpoint with what stands on the command line, and writes what comes back. */
export async function runAction(
  endpoint: EndpointSpec,
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
  const connection = await findConnection(io, textOf(options, url), textOf(options, token))
  const transport = createTransport({ ...connection, userAgent: `stithy/${io.version}` })
  const input = await readInput(endpoint, flags, options, wishes, io)
  const { signal, release } = io.interruptible()
  try {
    const send = (callOptions: CallOptions) => callEndpoint(transport, endpoint, input, callOptions)
    // What an answer takes to arrive is for whoever waits to judge.
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
  { all }: Wishes,
  { stdin }: CliIo,
): Promise<DynamicInput> {
  // Fewer, larger pages where all of them are wanted.
  const input: Record<string, unknown> = endpoint.paginated && all ? { per_page: 100 } : {}
  for (const { field, option } of fields) {
    const given = optionOf(options, option)
    if (given === undefined) continue
    input[field.name] = await readValue(field, option.long ?? '', given, stdin)
  }
  return input
}

async function writeAnswer(
  answer: Promise<unknown> | PagePromise<unknown>,
  { json, all, output }: Wishes,
  { stdout, stderr }: CliIo,
  signal: AbortSignal,
): Promise<void> {
  if (answer instanceof PagePromise) {
    if (all && json) return streamJson(stdout, answer)
    const page = all ? undefined : await answer
    const items = page?.items ?? (await collect(answer))
    if (json) return writeJson(stdout, items)
    await writeForPeople(stdout, items)
    stderr.write(page === undefined ? pageNote(items.length) : pageNote(items.length, page))
    return
  }
  const value = await answer
  if (value instanceof Response) return writeRaw(value, output, stdout, signal)
  if (json) return writeJson(stdout, value)
  await writeForPeople(stdout, value)
}

async function collect(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = []
  for await (const item of list) items.push(item)
  return items
}

/** Tells people that there is nothing, or that there is more. */
function pageNote(count: number, page?: Page<unknown>): string {
  if (count === 0) return 'Nothing found.\n'
  if (page === undefined || page.nextPage === null) return ''
  const where =
    page.totalPages === null ? `Page ${page.page}` : `Page ${page.page} of ${page.totalPages}`
  const total = page.total === null ? '' : `, ${page.total} in total`
  return `${where}${total}; --page ${page.nextPage} shows the next, --all everything.\n`
}
