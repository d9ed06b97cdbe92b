import { withoutCode } from '../references/without-code.rules.ts'

/** Every command there is (catalogue: issues, 8), but for those that only write something. */
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

/** A command as somebody wrote it. */
export interface QuickAction {
  name: QuickActionName
  /** What stands behind the name, without blanks around it; empty for none. */
  argument: string
}

/** What a text says, and what it asks for. */
export interface SplitText {
  /** Without the lines that are commands; the text itself where it has none. */
  text: string
  /** In their order. */
  commands: QuickAction[]
}

const known: ReadonlySet<string> = new Set(quickActionNames)

/** Commands that only write something, behind what stands in their line. */
const emoticons: Readonly<Record<string, string>> = {
  // Wide low lines: those of the keyboard would be emphasis.
  shrug: '¯\\＿(ツ)＿/¯',
  tableflip: '(╯°□°)╯︵ ┻━┻',
}

const commandLine = /^\/([a-z_]+)(?:[ \t]+(.*))?$/i

/**
 * Takes the quick actions out of a description or a comment (catalogue: issues, 8): lines that begin with
 * `/` and the name of a command. Lines with another word, in code, in comments and in quotes stay as they
 * are. `/shrug` and `/tableflip` are done here.
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

/** A command, or the line that one which only writes leaves. */
function readLine(line: string): QuickAction | string | undefined {
  const [, word = '', argument = ''] = commandLine.exec(line) ?? []
  const name = word.toLowerCase()
  if (isCommand(name)) return { name, argument: argument.trim() }
  if (!Object.hasOwn(emoticons, name)) return undefined
  return `${argument.trim()} ${emoticons[name]}`.trim()
}

function isCommand(name: string): name is QuickActionName {
  return known.has(name)
}
