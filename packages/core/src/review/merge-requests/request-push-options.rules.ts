/** What push options ask of the merge requests of the pushed branches. */
export interface RequestPushOptions {
  create: boolean
  target?: string
  title?: string
  description?: string
  removeSourceBranch: boolean
  mergeWhenPipelineSucceeds: boolean
  /** Title of a milestone. */
  milestone?: string
  labels: string[]
  removedLabels: string[]
  /** Ids or usernames. */
  assign: string[]
  unassign: string[]
}

/** Branches of one push whose merge requests its options change. */
export const maxOptionBranches = 10

const prefix = /^(?:merge_request|mr)\./
const lists = {
  label: 'labels',
  unlabel: 'removedLabels',
  assign: 'assign',
  unassign: 'unassign',
} as const
const switches = {
  create: 'create',
  remove_source_branch: 'removeSourceBranch',
  merge_when_pipeline_succeeds: 'mergeWhenPipelineSucceeds',
} as const
const texts = ['target', 'title', 'description', 'milestone'] as const

/**
 * Parses push options: `merge_request.create`, `mr.target=main`; undefined without one for merge
 * requests. The last of several texts with the same name counts, lists are collected, and unknown
 * options are ignored.
 */
export function requestPushOptions(options: readonly string[]): RequestPushOptions | undefined {
  const named = options.filter((option) => prefix.test(option))
  if (named.length === 0) return undefined
  const parsed: RequestPushOptions = {
    create: false,
    removeSourceBranch: false,
    mergeWhenPipelineSucceeds: false,
    labels: [],
    removedLabels: [],
    assign: [],
    unassign: [],
  }
  for (const option of named) addOption(parsed, option.replace(prefix, ''))
  return parsed
}

function addOption(parsed: RequestPushOptions, option: string): void {
  const at = option.indexOf('=')
  const name = at < 0 ? option : option.slice(0, at)
  const value = at < 0 ? '' : option.slice(at + 1)
  const text = texts.find((known) => known === name)
  if (Object.hasOwn(switches, name)) {
    parsed[switches[name as keyof typeof switches]] = value !== 'false'
  } else if (value === '') return
  else if (text !== undefined) parsed[text] = value
  else if (Object.hasOwn(lists, name)) parsed[lists[name as keyof typeof lists]].push(value)
}
