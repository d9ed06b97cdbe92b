import { splitFirstWord } from '../../platform/text/trim.rules.ts'
import { withoutCode } from '../references/without-code.rules.ts'

/** All commands, except those that only insert text. */
export const quickActionNames = [
  'approve',
  'assign',
  'award',
  'child_epic',
  'clear_weight',
  'close',
  'confidential',
  'copy_metadata',
  'create_merge_request',
  'done',
  'draft',
  'due',
  'duplicate',
  'epic',
  'estimate',
  'label',
  'lock',
  'merge',
  'milestone',
  'move',
  'parent_epic',
  'promote',
  'reassign',
  'relabel',
  'relate',
  'remove_child_epic',
  'remove_due_date',
  'remove_epic',
  'remove_estimate',
  'remove_milestone',
  'remove_parent_epic',
  'remove_time_spent',
  'reopen',
  'spend',
  'subscribe',
  'tag',
  'target_branch',
  'title',
  'todo',
  'unassign',
  'unlabel',
  'unlock',
  'unsubscribe',
  'weight',
  'wip',
] as const
export type QuickActionName = (typeof quickActionNames)[number]

/** A parsed command. */
export interface QuickAction {
  name: QuickActionName
  /** The trimmed text after the name; empty for none. */
  argument: string
}

/** A text split into prose and commands. */
export interface SplitText {
  /** Without the lines that are commands; unchanged when there are none. */
  text: string
  /** In order of appearance. */
  commands: QuickAction[]
}

const known: ReadonlySet<string> = new Set(quickActionNames)

/** Commands that only insert text, after the rest of their line. */
const emoticons: Readonly<Record<string, string>> = {
  // Full-width low lines: ASCII ones would be parsed as emphasis.
  shrug: '¯\\＿(ツ)＿/¯',
  tableflip: '(╯°□°)╯︵ ┻━┻',
}

/** A line with a longer argument is text. */
const maxArgumentLength = 1024

/**
 * Extracts quick actions from a description or comment: lines that start with `/` and the name of a
 * command. Lines with other words, in code, comments and quotes are left unchanged. `/shrug` and
 * `/tableflip` are expanded here.
 */
export function splitQuickActions(text: string): SplitText {
  if (!/^\/[a-z]/im.test(text)) return { text, commands: [] }
  const readable = withoutCode(text).split('\n')
  const commands: QuickAction[] = []
  let changed = false
  const kept = text.split('\n').flatMap((line, index) => {
    const read = readable[index]?.startsWith('/') ? readLine(line.trimEnd()) : undefined
    if (read === undefined) return [line]
    changed = true
    if (typeof read === 'string') return [read]
    commands.push(read)
    return []
  })
  return changed ? { text: kept.join('\n').trim(), commands } : { text, commands }
}

/** A command, or the line that a text-inserting command expands to. */
function readLine(line: string): QuickAction | string | undefined {
  const [word, argument] = splitFirstWord(line.slice(1))
  if (argument.length > maxArgumentLength) return undefined
  const name = word.toLowerCase()
  if (isCommand(name)) return { name, argument }
  if (!Object.hasOwn(emoticons, name)) return undefined
  return `${argument} ${emoticons[name]}`.trim()
}

function isCommand(name: string): name is QuickActionName {
  return known.has(name)
}
